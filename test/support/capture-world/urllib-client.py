"""Asks a model with Python's own library. Arguments: address, headers and body, as JSON."""

import json
import sys
from urllib.request import Request, urlopen

url, headers, body = sys.argv[1:]
request = Request(url, data=body.encode(), headers=json.loads(headers))
sys.stdout.write(urlopen(request).read().decode())
