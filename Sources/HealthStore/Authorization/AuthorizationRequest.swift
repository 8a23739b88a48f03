/// The types for which a program requests permission.
///
/// This is an addition to HealthKit: the argument and the result of
/// ``AuthorizationPolicy/requestHandler``.
public struct AuthorizationRequest: Hashable, Sendable {
  /// The types to save and delete.
  public var typesToShare: Set<HKSampleType>

  /// The types to read.
  public var typesToRead: Set<HKObjectType>

  /// Creates a request.
  public init(toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>) {
    self.typesToShare = typesToShare
    self.typesToRead = typesToRead
  }

  /// Whether the request contains no types.
  public var isEmpty: Bool { typesToShare.isEmpty && typesToRead.isEmpty }

  /// Throws if the request contains types for which permission cannot be requested.
  func validate() throws(HKAuthorizationRequestError) {
    func correlations(_ types: some Sequence<HKObjectType>) -> [String] {
      types.filter { $0 is HKCorrelationType }.map(\.identifier).sorted()
    }
    let (shared, read) = (correlations(typesToShare), correlations(typesToRead))
    if !shared.isEmpty { throw .sharingNotAllowed(types: shared) }
    if !read.isEmpty { throw .readingNotAllowed(types: read) }
  }

  /// Traps if the request contains types for which permission cannot be requested.
  func trapUnlessAllowed() {
    do { try validate() } catch { fatalError("\(error)") }
  }
}
