internal import SampleLog

extension HKHealthStore {
  /// What the person lets this program do; `nil`, as at first, lets it do everything.
  ///
  /// Our addition, which belongs to this object and is not stored. Calls take it when they are made
  /// and queries when they are executed, sequences of results when iteration begins; those that run
  /// already go on with what they took.
  public var authorization: AuthorizationPolicy? {
    get { policy.withLock { $0 } }
    set { policy.withLock { $0 = newValue } }
  }

  /// Throws where requesting authorisation for these types would end the process.
  ///
  /// Our addition: ask here first where the types come from outside.
  ///
  /// - Throws: ``HKAuthorizationRequestError``.
  public static func validateAuthorizationRequest(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) throws(HKAuthorizationRequestError) {
    try AuthorizationRequest(toShare: typesToShare, read: typesToRead).validate()
  }

  /// Asks about those types of a request that have no answer yet, and records the answers.
  func authorize(_ request: AuthorizationRequest) throws {
    guard let authorization else { return }
    let asked = authorization.unanswered(request)
    if asked.isEmpty { return }
    // The policy is not held meanwhile: the handler may take as long as a person does.
    let granted = try authorization.requestHandler(asked)
    policy.withLock { policy in
      // What another request has answered meanwhile stays answered.
      guard let open = policy?.unanswered(asked) else { return }
      policy?.record(granted, of: open)
    }
  }
}
