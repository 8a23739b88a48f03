import Foundation

/// Which source counts where cumulative samples of several overlap.
///
/// Each sample has a priority of its own: first what the user entered, then what a Watch recorded,
/// then an iPhone, then everything else; the order within each is that of the bundle identifiers'
/// bytes. An explicit order of sources comes before all of that. HealthKit does not publish its
/// order; this one follows what is known of it.
struct SourcePriority: Sendable, Equatable {
  /// What kind of thing recorded a sample, with the highest priority first.
  enum Recorder: Int, Comparable, Sendable {
    case user
    case watch
    case phone
    case other

    static func < (one: Recorder, other: Recorder) -> Bool { one.rawValue < other.rawValue }
  }

  /// What decides about a sample's priority: samples with equal origins share a rank.
  struct Origin: Hashable, Sendable {
    var bundleIdentifier: String
    var name: String
    var recorder: Recorder
  }

  /// The positions of the sources that were put in order, by bundle identifier.
  private let positions: [String: Int]

  /// The default order, or one that begins with the given bundle identifiers.
  init(bundleIdentifiers: [String] = []) {
    positions = Dictionary(
      bundleIdentifiers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The origin of a sample.
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

  /// Whether samples of one origin count rather than those of another.
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
