/// A limit on the size of a value, of a commit or of a subject's data.
public enum StoreLimit: Hashable, CaseIterable, Sendable {
  /// The size of one sample's encoded ``Extras``: metadata, payload, membership and sync
  /// identifier.
  case extrasBytes
  /// The size of a name that rows share: subject, type, unit, source or device.
  case nameBytes
  /// The size of a sync identifier.
  case syncIdentifierBytes
  /// The size of a durable subscription's name.
  case subscriptionBytes
  /// The size of the key of any other setting, which may contain a subject and a type.
  case settingKeyBytes
  /// The number of samples, deletions and settings of one commit.
  case batchRecords
  /// The size of one commit, encoded and uncompressed.
  case batchBytes
  /// The number of live samples of a subject, if a ``SubjectQuota`` limits it.
  case subjectSamples
  /// The size of a subject's samples in segments, if a ``SubjectQuota`` limits it.
  case subjectBytes

  /// The maximum: in bytes, except for ``batchRecords`` and ``subjectSamples``.
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

  /// The maximum sequence number of a commit.
  ///
  /// At a million commits per second, a store reaches it after more than a hundred thousand years.
  public static let sequence: UInt64 = 1 << 62 - 1

  /// Throws if a number exceeds the limit, or `allowed` if that is given.
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
