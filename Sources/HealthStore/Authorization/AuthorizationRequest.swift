/// Types that a program asks permission for.
///
/// Our addition: what ``AuthorizationPolicy/requestHandler`` gets and returns.
public struct AuthorizationRequest: Hashable, Sendable {
  /// The types to save and delete.
  public var typesToShare: Set<HKSampleType>

  /// The types to read.
  public var typesToRead: Set<HKObjectType>

  /// Makes a request.
  public init(toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>) {
    self.typesToShare = typesToShare
    self.typesToRead = typesToRead
  }

  /// Whether it asks for nothing.
  public var isEmpty: Bool { typesToShare.isEmpty && typesToRead.isEmpty }

  /// Throws when it asks for what nobody can be asked for.
  func validate() throws(HKAuthorizationRequestError) {
    func correlations(_ types: some Sequence<HKObjectType>) -> [String] {
      types.filter { $0 is HKCorrelationType }.map(\.identifier).sorted()
    }
    let (shared, read) = (correlations(typesToShare), correlations(typesToRead))
    if !shared.isEmpty { throw .sharingNotAllowed(types: shared) }
    if !read.isEmpty { throw .readingNotAllowed(types: read) }
  }

  /// Ends the process when it asks for what nobody can be asked for.
  func trapUnlessAllowed() {
    do { try validate() } catch { fatalError("\(error)") }
  }
}
