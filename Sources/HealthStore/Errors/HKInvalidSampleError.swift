public import Foundation

/// An error in the fields or the metadata of a sample.
///
/// This is an addition: HealthKit raises an exception instead. As an `NSError` it is HealthKit's
/// `errorInvalidArgument` (domain `com.apple.healthkit`, code 3).
public enum HKInvalidSampleError: Error, Hashable, Sendable {
  /// The end is before the start.
  case endBeforeStart(type: String)
  /// A date is infinite or NaN.
  case dateNotFinite(type: String)
  /// The quantity is infinite or NaN.
  case valueNotFinite(type: String)
  /// The quantity's unit is incompatible with the type.
  case incompatibleUnit(type: String, unit: String)
  /// The category value is not in the type's enumeration.
  case invalidCategoryValue(type: String, value: Int)
  /// The sample exceeds the maximum duration of its type, in seconds.
  case tooLong(type: String, duration: TimeInterval, allowed: TimeInterval)
  /// The sample is shorter than the minimum duration of its type, in seconds.
  case tooShort(type: String, duration: TimeInterval, allowed: TimeInterval)
  /// A metadata key that the type requires is missing.
  case missingMetadata(type: String, key: String)
  /// Only one of the two sync metadata keys is present.
  case incompleteSyncIdentity(missing: String)
  /// A metadata value is not a String, number, Date or HKQuantity.
  case unsupportedMetadataValue(key: String, valueType: String)
  /// The value of a predefined metadata key has the wrong class.
  case wrongMetadataClass(key: String, expected: String)
  /// A date or quantity in the metadata is infinite or NaN.
  case metadataNotFinite(key: String)
  /// The sync version is not an integer from -2⁶³ to 2⁶³ - 1.
  case invalidSyncVersion(String)
  /// The bundle identifier of a sample with a sync identifier contains a NUL character.
  case invalidBundleIdentifier(String)
  /// A metadata key exceeds the allowed number of UTF-8 bytes.
  case metadataKeyTooLong(bytes: Int, allowed: Int)
  /// The encoded metadata exceeds the allowed number of bytes.
  case metadataTooLarge(bytes: Int, allowed: Int)
  /// A correlation contains something other than quantity and category samples.
  case unsupportedCorrelationObject(type: String)
  /// The type-specific contents of the sample are invalid.
  case invalidContents(type: String, reason: String)
}

extension HKInvalidSampleError: ArgumentError, CustomStringConvertible {
  /// A sentence that describes the error.
  public var description: String {
    switch self {
    case .endBeforeStart(let type):
      "A sample of \(type) must not end before it starts."
    case .dateNotFinite(let type):
      "The dates of a sample of \(type) must be finite."
    case .valueNotFinite(let type):
      "The quantity of a sample of \(type) must be finite."
    case .incompatibleUnit(let type, let unit):
      "A sample of \(type) cannot hold a quantity in \(unit)."
    case .invalidCategoryValue(let type, let value):
      "\(value) is not a value of \(type)."
    case .tooLong(let type, let duration, let allowed):
      "A sample of \(type) may last \(allowed) s at most, not \(duration) s."
    case .tooShort(let type, let duration, let allowed):
      "A sample of \(type) must last \(allowed) s at least, not \(duration) s."
    case .missingMetadata(let type, let key):
      "A sample of \(type) needs the metadata key \(key)."
    case .incompleteSyncIdentity(let missing):
      "A sync identifier and a sync version go together: \(missing) is missing."
    case .unsupportedMetadataValue(let key, let valueType):
      "The metadata value of \(key) is a \(valueType), not a String, number, Date or HKQuantity."
    case .wrongMetadataClass(let key, let expected):
      "The metadata value of \(key) must be \(expected)."
    case .metadataNotFinite(let key):
      "The metadata value of \(key) must be finite."
    case .invalidSyncVersion(let version):
      "A sync version must be a whole number of at most 64 bits, not \(version)."
    case .invalidBundleIdentifier(let identifier):
      "The bundle identifier \(identifier.debugDescription) must not contain the character NUL."
    case .metadataKeyTooLong(let bytes, let allowed):
      "A metadata key of \(bytes) bytes is longer than the \(allowed) bytes allowed."
    case .metadataTooLarge(let bytes, let allowed):
      "Metadata of \(bytes) bytes is larger than the \(allowed) bytes allowed."
    case .unsupportedCorrelationObject(let type):
      "A correlation contains quantity and category samples, not one of \(type)."
    case .invalidContents(let type, let reason):
      "A sample of \(type) is not valid: \(reason)"
    }
  }
}

extension HKInvalidSampleError: CustomNSError {
  /// HealthKit's error domain.
  public static var errorDomain: String { HKErrorDomain }

  /// The code of `HKError.errorInvalidArgument`.
  public var errorCode: Int { HKError.Code.errorInvalidArgument.rawValue }

  /// The description, as the localised description and as the failure reason.
  public var errorUserInfo: [String: Any] { HKError.userInfo(saying: description) }
}
