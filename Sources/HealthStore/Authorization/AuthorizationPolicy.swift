/// What a person lets one program do with their data, type by type.
///
/// Our addition. An ``HKHealthStore`` has full access until ``HKHealthStore/authorization`` is set;
/// with a policy it behaves as it does in an app on an iPhone:
///
/// - Reading a type that was denied looks like no data, but for the program's own samples: in every
///   kind of query, for deleted objects and for the members of correlations. What was hidden is not
///   delivered later when reading is granted: an anchor has passed it.
/// - Saving and deleting a type that was denied is `errorAuthorizationDenied`, and so is deleting
///   what another source saved.
/// - Using a type that nobody was asked about is `errorAuthorizationNotDetermined`.
///
/// ```swift
/// store.authorization = AuthorizationPolicy(
///   sharing: [HKQuantityType(.stepCount): .granted],
///   reading: [HKQuantityType(.stepCount): .granted, HKQuantityType(.heartRate): .denied])
/// ```
///
/// It is for tests of apps and for programs that ask people, and is no security boundary: whoever
/// has the object can take the policy away, and our additions that maintain a store
/// (``HKHealthStore/deleteExpired(_:asOf:)``, ``HKHealthStore/setSourceOrder(_:for:)``, the setters
/// of characteristics and of units, backups) do not ask it.
public struct AuthorizationPolicy: Sendable {
  /// What a person said about a type.
  public enum Answer: Hashable, Sendable {
    /// Yes.
    case granted
    /// No.
    case denied
  }

  /// The program.
  ///
  /// What it saves has this source, and it may always read what has the source's bundle identifier.
  public var source: HKSource

  /// Answers about saving and deleting; types without one were not asked about.
  public var sharing: [HKSampleType: Answer]

  /// Answers about reading; types without one were not asked about.
  public var reading: [HKObjectType: Answer]

  /// The answer for types that have none of their own, for sharing and for reading; `nil` if nobody
  /// was asked about them.
  public var otherTypes: Answer?

  /// Asks the person, for ``HKHealthStore/requestAuthorization(toShare:read:completion:)``: takes
  /// the types that were not asked about yet, and returns those of them that are granted.
  ///
  /// It is called on a background thread, where it may wait. What it throws is reported to whoever
  /// requested, and nothing is recorded.
  public var requestHandler: @Sendable (AuthorizationRequest) throws -> AuthorizationRequest

  /// Makes a policy.
  ///
  /// A correlation type has no answer of its own, for nobody can be asked about one: it has the
  /// best answer of the types that it may contain.
  ///
  /// - Parameters:
  ///   - source: The program.
  ///   - sharing: Answers about saving and deleting.
  ///   - reading: Answers about reading.
  ///   - otherTypes: The answer for all other types; `nil` if nobody was asked about them.
  ///   - requestHandler: Asks the person about further types; unless given, all are granted.
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
  /// The answer about saving and deleting; nil where nobody was asked.
  func answer(toShare type: HKSampleType) -> Answer? {
    answer(type) { ($0 as? HKSampleType).flatMap { sharing[$0] } }
  }

  /// The answer about reading; nil where nobody was asked.
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

  /// Whether a type may be read.
  ///
  /// - Throws: `errorAuthorizationNotDetermined` when nobody was asked.
  func mayRead(_ type: HKObjectType) throws -> Bool {
    guard let answer = answer(toRead: type) else { throw Self.notDetermined(type, "read") }
    return answer == .granted
  }

  /// Whether the unit that the person wants to see a type in may be known: if reading or sharing
  /// was granted.
  ///
  /// - Throws: `errorAuthorizationNotDetermined` when nobody was asked about either.
  func maySeeUnit(of type: HKQuantityType) throws -> Bool {
    switch (answer(toRead: type), answer(toShare: type)) {
    case (nil, nil): throw Self.notDetermined(type, "read or share")
    case (.granted, _), (_, .granted): true
    default: false
    }
  }

  /// Throws unless samples may be saved and deleted: a correlation if all its objects may.
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
      "Nobody was asked for permission to \(use) \(type.identifier); request authorization first.")
  }

  /// What of a request nobody was asked about yet.
  func unanswered(_ request: AuthorizationRequest) -> AuthorizationRequest {
    AuthorizationRequest(
      toShare: request.typesToShare.filter { answer(toShare: $0) == nil },
      read: request.typesToRead.filter { answer(toRead: $0) == nil })
  }

  /// Records what was granted of a request; the rest of it was denied.
  mutating func record(_ granted: AuthorizationRequest, of request: AuthorizationRequest) {
    for type in request.typesToShare {
      sharing[type] = granted.typesToShare.contains(type) ? .granted : .denied
    }
    for type in request.typesToRead {
      reading[type] = granted.typesToRead.contains(type) ? .granted : .denied
    }
  }

  /// The policy of the same program when it may read nothing but what it saved.
  var ownSamplesOnly: AuthorizationPolicy {
    AuthorizationPolicy(source: source, otherTypes: .denied)
  }

  /// What samples get that the program saves.
  var sourceRevision: HKSourceRevision {
    let current = HKSourceRevision.current
    if source == current.source { return current }
    return HKSourceRevision(
      source: source, version: current.version, productType: current.productType,
      operatingSystemVersion: current.operatingSystemVersion)
  }
}

extension HKCorrelationType {
  /// The types that a correlation of this type is made of.
  fileprivate var containedTypes: [HKQuantityType] {
    switch HKCorrelationTypeIdentifier(identifier) {
    case .bloodPressure:
      [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)]
    default: QuantityTypeRow.nutrition.map { HKQuantityType($0.identifier) }
    }
  }
}
