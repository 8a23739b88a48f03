import Foundation

/// In which order sources are believed where their cumulative samples overlap.
///
/// Each sample has a claim of its own: first what the user entered, then what a Watch recorded,
/// then an iPhone, then everything else; the order within each is that of the bundle identifiers'
/// bytes. An explicit order of sources comes before all of that. HealthKit does not publish its
/// order; this one follows what is known of it.
struct SourcePriority: Sendable {
  /// What kind of thing recorded a sample, with the most believable first.
  enum Recorder: Int, Comparable, Sendable {
    case user
    case watch
    case phone
    case other

    static func < (one: Recorder, other: Recorder) -> Bool { one.rawValue < other.rawValue }
  }

  /// What decides about a sample's place: samples with equal claims share a rank.
  struct Claim: Hashable, Sendable {
    var bundleIdentifier: String
    var name: String
    var recorder: Recorder
  }

  /// The places of the sources that somebody put in order, by bundle identifier.
  private let places: [String: Int]

  /// The default order, or one that begins with the given bundle identifiers.
  init(bundleIdentifiers: [String] = []) {
    places = Dictionary(
      bundleIdentifiers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The claim of a sample.
  static func claim(
    of source: HKSource, productType: String?, device: HKDevice?, wasUserEntered: Bool
  ) -> Claim {
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
    return Claim(
      bundleIdentifier: source.bundleIdentifier, name: source.name, recorder: recorder)
  }

  /// The claim of a sample, from its source revision, device and metadata.
  static func claim(of sample: HKSample) -> Claim {
    let revision = sample.sourceRevision
    let wasUserEntered = sample.metadata?[HKMetadataKeyWasUserEntered] as? Bool ?? false
    return claim(
      of: revision.source, productType: revision.productType, device: sample.device,
      wasUserEntered: wasUserEntered)
  }

  private static func known(_ product: String?) -> String? {
    guard let product, !product.isEmpty, product != HKSourceRevisionAnyProductType else {
      return nil
    }
    return product
  }

  /// Whether one claim is believed rather than another.
  func prefers(_ one: Claim, to other: Claim) -> Bool {
    let place = places[one.bundleIdentifier] ?? .max
    let otherPlace = places[other.bundleIdentifier] ?? .max
    if place != otherPlace { return place < otherPlace }
    if one.recorder != other.recorder { return one.recorder < other.recorder }
    if one.bundleIdentifier != other.bundleIdentifier {
      return one.bundleIdentifier.utf8.lexicographicallyPrecedes(other.bundleIdentifier.utf8)
    }
    return one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
  }
}
