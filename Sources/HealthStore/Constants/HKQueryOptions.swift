/// Options for matching samples against a time range.
public struct HKQueryOptions: OptionSet, Sendable {
  /// The bits of the option set.
  public let rawValue: UInt

  /// Creates an option set from its bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The sample's start must lie in the range.
  public static let strictStartDate = Self(rawValue: 1 << 0)

  /// The sample's end must lie in the range.
  public static let strictEndDate = Self(rawValue: 1 << 1)
}
