// The process behind an audit token, and its executable: C functions without a Swift module.
#include <bsm/libbsm.h>
#include <libproc.h>
#include <sys/un.h>
