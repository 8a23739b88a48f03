public import Foundation

/// Gives `HKQuantitySample` initialisers that return a subclass.
///
/// Only `HKQuantitySample` and its subclasses conform. A protocol's initialiser may assign `self`,
/// a class's may not.
public protocol HKQuantitySampleConstruction {}

extension HKQuantitySampleConstruction where Self: HKQuantitySample {
  /// Makes a sample without metadata.
  ///
  /// Traps where `validated(type:quantity:start:end:device:metadata:sourceRevision:)` throws.
  public init(type quantityType: HKQuantityType, quantity: HKQuantity, start: Date, end: Date) {
    self.init(
      type: quantityType, quantity: quantity, start: start, end: end, device: nil, metadata: nil)
  }

  /// Makes a sample with metadata.
  ///
  /// Traps where `validated(type:quantity:start:end:device:metadata:sourceRevision:)` throws.
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

  /// Makes a sample with a device and metadata.
  ///
  /// Traps where `validated(type:quantity:start:end:device:metadata:sourceRevision:)` throws.
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
  /// Makes a sample, or throws where the initialisers trap.
  ///
  /// Our addition, for data from outside: the error says what is wrong with the arguments.
  /// `sourceRevision` says who recorded the data when that is not the running program.
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

  /// The sample of the class that the type calls for.
  final class func make(_ built: BuiltSample) -> HKQuantitySample {
    built.kind == .cumulativeQuantity
      ? HKCumulativeQuantitySample(built: built) : HKDiscreteQuantitySample(built: built)
  }
}
