import SampleLog

extension CorrelationPayload {
  /// A payload of members that are known by identifier and type only, and never replaced.
  init(_ members: [(Identifier, String)]) {
    self.init([HKSample]())
    self.members = members.map { Member(id: $0.0, type: $0.1, syncIdentifier: []) }
  }
}
