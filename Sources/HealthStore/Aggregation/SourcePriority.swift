import Foundation

/// The priority of sources whose cumulative samples overlap.
///
/// Priority is per sample: first samples entered by the user, then samples recorded by a Watch,
/// then by an iPhone, then all others. Ties are broken by the UTF-8 bytes of the bundle identifier.
/// An explicit source order takes precedence over these rules. HealthKit does not document its
/// order; this one matches its observed behaviour.
struct SourcePriority: Sendable, Equatable {
  /// The kind of recorder, with the highest priority first.
  enum Recorder: Int, Comparable, Sendable {
    case user
    case watch
    case phone
    case other

    static func < (one: Recorder, other: Recorder) -> Bool { one.rawValue < other.rawValue }
  }

  /// The key that determines a sample's source priority.
  ///
  /// Samples with equal keys share a rank.
  struct Origin: Hashable, Sendable {
    var bundleIdentifier: String
    var name: String
    var recorder: Recorder
  }

  /// The position of each bundle identifier in the explicit source order.
  private let positions: [String: Int]

  /// Creates the default order, preceded by the given bundle identifiers.
  init(bundleIdentifiers: [String] = []) {
    positions = Dictionary(
      bundleIdentifiers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  static func origin(
    of source: HKSource, productType: String?, device: HKDevice?, wasUserEntered: Bool
  ) -> Origin {
    let product = known(productType) ?? known(device?.model) ?? ""
    let recorder: Recorder =
      if wasUserEntered {
        .user
      } else if product.hasPrefix("Watch") {
        .watch
      } else if product.hasPrefix("iPhone") {
        .phone
      } else {
        .other
      }
    return Origin(
      bundleIdentifier: source.bundleIdentifier, name: source.name, recorder: recorder)
  }

  private static func known(_ product: String?) -> String? {
    guard let product, !product.isEmpty, product != HKSourceRevisionAnyProductType else {
      return nil
    }
    return product
  }

  /// Returns whether samples of one origin take precedence over samples of another.
  func prefers(_ one: Origin, to other: Origin) -> Bool {
    let position = positions[one.bundleIdentifier] ?? .max
    let otherPosition = positions[other.bundleIdentifier] ?? .max
    if position != otherPosition { return position < otherPosition }
    if one.recorder != other.recorder { return one.recorder < other.recorder }
    if one.bundleIdentifier != other.bundleIdentifier {
      return one.bundleIdentifier.utf8.lexicographicallyPrecedes(other.bundleIdentifier.utf8)
    }
    return one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
  }
}
