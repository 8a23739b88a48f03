internal import SampleLog

// The authorization policy of a store object.
extension HKHealthStore {
  /// The permissions of this program, or `nil`, the default, for full access.
  ///
  /// This is an addition to HealthKit. The policy belongs to this object and is not stored. A call
  /// reads it when it is made, a query when it is executed, and a sequence of results when
  /// iteration begins. Changing it does not affect those already running.
  public var authorization: AuthorizationPolicy? {
    get { state.withLock { $0.policy } }
    set { state.withLock { $0.policy = newValue } }
  }

  /// Throws if requesting authorization for these types would trap.
  ///
  /// This is an addition to HealthKit. Call it first if the types come from an external source.
  ///
  /// - Throws: ``HKAuthorizationRequestError``.
  public static func validateAuthorizationRequest(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) throws(HKAuthorizationRequestError) {
    try AuthorizationRequest(toShare: typesToShare, read: typesToRead).validate()
  }

  /// Prompts for the types of a request that have no answer yet, and records the answers.
  func authorize(_ request: AuthorizationRequest) throws {
    guard let authorization else { return }
    let asked = authorization.unanswered(request)
    if asked.isEmpty { return }
    // The lock is not held during the call, because the handler may wait for the user.
    let granted = try authorization.requestHandler(asked)
    state.withLock { state in
      // Keep answers that a concurrent request has recorded in the meantime.
      guard let open = state.policy?.unanswered(asked) else { return }
      state.policy?.record(granted, of: open)
    }
  }
}
