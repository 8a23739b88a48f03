public import Foundation

/// Initialisers of `HKQuantitySample` that can return a subclass.
///
/// Only `HKQuantitySample` and its subclasses conform. A protocol is necessary because its
/// initialisers may assign `self`; those of a class may not.
public protocol HKQuantitySampleConstruction {}

extension HKQuantitySampleConstruction where Self: HKQuantitySample {
  /// Creates a sample without metadata.
  ///
  /// Traps if `validated(type:quantity:start:end:device:metadata:sourceRevision:)` would throw.
  public init(type quantityType: HKQuantityType, quantity: HKQuantity, start: Date, end: Date) {
    self.init(
      type: quantityType, quantity: quantity, start: start, end: end, device: nil, metadata: nil)
  }

  /// Creates a sample with metadata.
  ///
  /// Traps if `validated(type:quantity:start:end:device:metadata:sourceRevision:)` would throw.
  public init(
    type quantityType: HKQuantityType,
    quantity: HKQuantity,
    start: Date,
    end: Date,
    metadata: [String: Any]?
  ) {
    self.init(
      type: quantityType, quantity: quantity, start: start, end: end, device: nil,
      metadata: metadata)
  }

  /// Creates a sample with a device and metadata.
  ///
  /// Traps if `validated(type:quantity:start:end:device:metadata:sourceRevision:)` would throw.
  public init(
    type quantityType: HKQuantityType,
    quantity: HKQuantity,
    start: Date,
    end: Date,
    device: HKDevice?,
    metadata: [String: Any]?
  ) {
    let built = BuiltSample.orTrap { () throws(HKInvalidSampleError) in
      try BuiltSample(
        validating: quantityType, quantity: quantity, start: start, end: end, device: device,
        metadata: metadata, sourceRevision: nil)
    }
    self = Self.assume(HKQuantitySample.make(built), built)
  }
}

extension HKQuantitySample {
  /// Returns a sample, or throws where the initialisers would trap.
  ///
  /// This is an addition for data from untrusted sources. The error describes the invalid argument.
  /// If `sourceRevision` is nil, the source is the running program.
  public static func validated(
    type quantityType: HKQuantityType,
    quantity: HKQuantity,
    start: Date,
    end: Date,
    device: HKDevice? = nil,
    metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKQuantitySample {
    make(
      try BuiltSample(
        validating: quantityType, quantity: quantity, start: start, end: end, device: device,
        metadata: metadata, sourceRevision: sourceRevision))
  }

  /// Returns a sample of the class that corresponds to its type.
  final class func make(_ built: BuiltSample) -> HKQuantitySample {
    built.kind == .cumulativeQuantity
      ? HKCumulativeQuantitySample(built: built) : HKDiscreteQuantitySample(built: built)
  }
}
