/// How strictly a sample must lie within a time range.
public struct HKQueryOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt

  /// Makes options from bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The sample's start lies in the range.
  public static let strictStartDate = Self(rawValue: 1 << 0)

  /// The sample's end lies in the range.
  public static let strictEndDate = Self(rawValue: 1 << 1)
}
