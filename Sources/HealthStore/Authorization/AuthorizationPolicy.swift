/// The permissions that a user has granted to one program, by type.
///
/// This is an addition to HealthKit. An ``HKHealthStore`` has full access until
/// ``HKHealthStore/authorization`` is set. With a policy it behaves as in an app on an iPhone:
///
/// - If reading a type is denied, every kind of query behaves as if there were only the program's
///   own samples. This includes deleted objects and the members of correlations. Hidden changes
///   are not delivered later if reading is granted, because an anchor has already passed them.
/// - If sharing a type is denied, saving and deleting report `errorAuthorizationDenied`. So does
///   deleting a sample that another source saved.
/// - If permission for a type was never requested, using it reports
///   `errorAuthorizationNotDetermined`.
///
/// ```swift
/// store.authorization = AuthorizationPolicy(
///   sharing: [HKQuantityType(.stepCount): .granted],
///   reading: [HKQuantityType(.stepCount): .granted, HKQuantityType(.heartRate): .denied])
/// ```
///
/// A policy is for testing apps and for programs that prompt users. It is not a security boundary:
/// code that holds the store object can remove it, and our additions for maintaining a store
/// (``HKHealthStore/deleteExpired(_:asOf:)``, ``HKHealthStore/setSourceOrder(_:for:)``, the
/// setters of characteristics and of units, backups) ignore it.
public struct AuthorizationPolicy: Sendable {
  /// The user's answer for a type.
  public enum Answer: Hashable, Sendable {
    /// Access is granted.
    case granted
    /// Access is denied.
    case denied
  }

  /// The source that represents the program.
  ///
  /// This becomes the source of samples that the program saves, and the program may always read
  /// samples with the source's bundle identifier.
  public var source: HKSource

  /// The answers for saving and deleting.
  ///
  /// Types without an entry have not been requested.
  public var sharing: [HKSampleType: Answer]

  /// The answers for reading.
  ///
  /// Types without an entry have not been requested.
  public var reading: [HKObjectType: Answer]

  /// The answer for types without an entry, both for sharing and for reading, or `nil` if they
  /// count as not requested.
  public var otherTypes: Answer?

  /// A function that prompts the user on behalf of
  /// ``HKHealthStore/requestAuthorization(toShare:read:completion:)``.
  ///
  /// It receives the types that have no answer yet, and returns those that are granted.
  ///
  /// Called on a background thread, which it may block. An error that it throws is reported to the
  /// caller of the request, and no answers are recorded.
  public var requestHandler: @Sendable (AuthorizationRequest) throws -> AuthorizationRequest

  /// Creates a policy.
  ///
  /// A correlation type has no separate answer, because permission for it cannot be requested. It
  /// has the most permissive answer of the types that it may contain.
  ///
  /// - Parameters:
  ///   - source: The source that represents the program.
  ///   - sharing: The answers for saving and deleting.
  ///   - reading: The answers for reading.
  ///   - otherTypes: The answer for all other types, or `nil` if they count as not requested.
  ///   - requestHandler: A function that prompts the user about further types. Default: grants
  ///     all.
  @preconcurrency
  public init(
    source: HKSource = .default(), sharing: [HKSampleType: Answer] = [:],
    reading: [HKObjectType: Answer] = [:], otherTypes: Answer? = nil,
    requestHandler: @escaping @Sendable (AuthorizationRequest) throws -> AuthorizationRequest = {
      $0
    }
  ) {
    self.source = source
    self.sharing = sharing
    self.reading = reading
    self.otherTypes = otherTypes
    self.requestHandler = requestHandler
  }
}

extension AuthorizationPolicy {
  /// Returns the answer for saving and deleting, or nil if it has not been requested.
  func answer(toShare type: HKSampleType) -> Answer? {
    answer(type) { ($0 as? HKSampleType).flatMap { sharing[$0] } }
  }

  /// Returns the answer for reading, or nil if it has not been requested.
  func answer(toRead type: HKObjectType) -> Answer? {
    answer(type) { reading[$0] }
  }

  private func answer(
    _ type: HKObjectType, _ given: (HKObjectType) -> Answer?
  ) -> Answer? {
    guard let correlation = type as? HKCorrelationType else { return given(type) ?? otherTypes }
    let answers = Set(correlation.containedTypes.compactMap { given($0) ?? otherTypes })
    return answers.contains(.granted) ? .granted : answers.first
  }

  /// Returns whether a type may be read.
  ///
  /// - Throws: `errorAuthorizationNotDetermined` if it has not been requested.
  func mayRead(_ type: HKObjectType) throws -> Bool {
    guard let answer = answer(toRead: type) else { throw Self.notDetermined(type, "read") }
    return answer == .granted
  }

  /// Returns whether the user's preferred unit of a type may be read.
  ///
  /// It may if reading or sharing is granted.
  ///
  /// - Throws: `errorAuthorizationNotDetermined` if neither has been requested.
  func maySeeUnit(of type: HKQuantityType) throws -> Bool {
    switch (answer(toRead: type), answer(toShare: type)) {
    case (nil, nil): throw Self.notDetermined(type, "read or share")
    case (.granted, _), (_, .granted): true
    default: false
    }
  }

  /// Throws unless all samples may be saved and deleted.
  ///
  /// A correlation may if all of its members may.
  ///
  /// - Throws: `errorAuthorizationNotDetermined` or `errorAuthorizationDenied`.
  func checkSharing(_ objects: [HKObject]) throws {
    var checked: Set<HKSampleType> = []
    for case let sample as HKSample in objects {
      if let correlation = sample as? HKCorrelation {
        try checkSharing(Array(correlation.objects))
      } else if checked.insert(sample.sampleType).inserted {
        try checkSharing(sample.sampleType)
      }
    }
  }

  /// Throws unless samples of a type may be saved and deleted.
  func checkSharing(_ type: HKSampleType) throws {
    switch answer(toShare: type) {
    case .granted: break
    case .denied:
      throw HKError.make(
        .errorAuthorizationDenied,
        "Sharing \(type.identifier) was denied; only the person can change that.")
    case nil: throw Self.notDetermined(type, "share")
    }
  }

  private static func notDetermined(_ type: HKObjectType, _ use: String) -> HKError {
    HKError.make(
      .errorAuthorizationNotDetermined,
      "Permission to \(use) \(type.identifier) was never requested; request authorization first.")
  }

  /// Returns the types of a request that have no answer yet.
  func unanswered(_ request: AuthorizationRequest) -> AuthorizationRequest {
    AuthorizationRequest(
      toShare: request.typesToShare.filter { answer(toShare: $0) == nil },
      read: request.typesToRead.filter { answer(toRead: $0) == nil })
  }

  /// Records the granted types of a request as granted, and the others as denied.
  mutating func record(_ granted: AuthorizationRequest, of request: AuthorizationRequest) {
    for type in request.typesToShare {
      sharing[type] = granted.typesToShare.contains(type) ? .granted : .denied
    }
    for type in request.typesToRead {
      reading[type] = granted.typesToRead.contains(type) ? .granted : .denied
    }
  }

  /// A policy for the same program that allows it to read only its own samples.
  var ownSamplesOnly: AuthorizationPolicy {
    AuthorizationPolicy(source: source, otherTypes: .denied)
  }

  /// The source revision of samples that the program saves.
  var sourceRevision: HKSourceRevision {
    let current = HKSourceRevision.current
    if source == current.source { return current }
    return HKSourceRevision(
      source: source, version: current.version, productType: current.productType,
      operatingSystemVersion: current.operatingSystemVersion)
  }
}

extension HKCorrelationType {
  /// The types of the members of a correlation of this type.
  fileprivate var containedTypes: [HKQuantityType] {
    switch HKCorrelationTypeIdentifier(identifier) {
    case .bloodPressure:
      [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)]
    default: QuantityTypeRow.nutrition.map { HKQuantityType($0.identifier) }
    }
  }
}
