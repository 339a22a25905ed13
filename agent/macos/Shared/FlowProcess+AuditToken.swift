import LocalProtocol

extension FlowProcess {
  init(_ token: AuditToken) {
    self.init(
      pid: token.pid, pidVersion: token.pidVersion, path: token.path,
      signingId: CodeIdentity.signingId(of: token), user: token.userName)
  }
}
