import Foundation

/// A mapping of identifiers that separates the exports of several subjects.
///
/// The watches of two subjects may record equal samples: an hour with standing, by devices of the
/// same name and version.
struct SubjectScope {
  private let subject: [UInt8]

  init(_ subject: String) { self.subject = Array(subject.utf8) }

  /// Returns the identifier of the subject's sample; unchanged for the subject with an empty name.
  func identifier(_ uuid: UUID) -> UUID {
    if subject.isEmpty { return uuid }
    let message = withUnsafeBytes(of: uuid.uuid) { Array($0) } + subject
    let hash = message.withUnsafeBytes { SipHash128.hash($0, key: Self.key) }
    // Version 8 and the variant of RFC 9562, as in the given identifier.
    let high = hash.low & 0xffff_ffff_ffff_0fff | 0x8000
    let low = hash.high & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    var result = (high.bigEndian, low.bigEndian)
    return withUnsafeBytes(of: &result) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The hash key, which must never change: every imported identifier depends on it.
  private static let key: (UInt64, UInt64) = (0x5375_626a_6563_7453, 0x636f_7065_2e76_3031)
}
