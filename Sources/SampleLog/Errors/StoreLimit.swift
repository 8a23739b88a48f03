/// What may not be larger, in the store or in one commit.
public enum StoreLimit: Hashable, CaseIterable, Sendable {
  /// One sample's ``Extras``, encoded: metadata, payload, membership and sync identifier.
  case extrasBytes
  /// A name that many rows share: subject, type, unit, source or device.
  case nameBytes
  /// A sync identifier.
  case syncIdentifierBytes
  /// A durable subscription's name.
  case subscriptionBytes
  /// The key of another setting, which may contain a subject and a type.
  case settingKeyBytes
  /// Samples, deletions and settings of one commit.
  case batchRecords
  /// One commit, encoded and not compressed.
  case batchBytes
  /// Live samples of a subject, where a ``SubjectQuota`` limits them.
  case subjectSamples
  /// Bytes of a subject's samples in segments, where a ``SubjectQuota`` limits them.
  case subjectBytes

  /// The greatest that is allowed.
  public var maximum: Int {
    switch self {
    case .extrasBytes: 16 << 20
    case .nameBytes, .syncIdentifierBytes: 65_535
    case .subscriptionBytes: 1024
    case .settingKeyBytes: 2 * 65_535 + 1024
    case .batchRecords: 1 << 22
    case .batchBytes: 1 << 30
    case .subjectSamples, .subjectBytes: .max
    }
  }

  /// The greatest sequence number that a commit can be given: a million commits a second reach it
  /// after more than a hundred thousand years.
  public static let sequence: UInt64 = 1 << 62 - 1

  /// Throws when a number is greater than allowed.
  func check(_ actual: Int, allowed: Int? = nil) throws {
    guard actual <= allowed ?? maximum else {
      throw StoreError.limitExceeded(self, actual: actual, allowed: allowed ?? maximum)
    }
  }

  var text: String {
    switch self {
    case .extrasBytes: "The bytes of a sample's metadata and payload"
    case .nameBytes: "The bytes of a subject, type, unit, source or device"
    case .syncIdentifierBytes: "The bytes of a sync identifier"
    case .subscriptionBytes: "The bytes of a subscription's name"
    case .settingKeyBytes: "The bytes of a setting's key"
    case .batchRecords: "The samples, deletions and settings of one commit"
    case .batchBytes: "The bytes of one commit"
    case .subjectSamples: "The samples of one subject"
    case .subjectBytes: "The bytes of one subject's samples"
    }
  }
}
