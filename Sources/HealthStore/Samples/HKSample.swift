public import Foundation

/// An object with a type and dates.
///
/// Abstract; use `HKQuantitySample`, `HKCategorySample`, `HKCorrelation` or `HKWorkout`.
open class HKSample: HKObject, @unchecked Sendable {
  /// The type of the sample.
  open var sampleType: HKSampleType {
    if let built { return built.sampleType }
    return view.sampleType
  }

  /// The start of the sample.
  open var startDate: Date {
    if let built { return built.startDate }
    return view.startDate(at: row)
  }

  /// The end of the sample, never before `startDate`.
  open var endDate: Date {
    if let built { return built.endDate }
    return view.endDate(at: row)
  }

  /// Whether the end is not known yet.
  ///
  /// Such samples have an `endDate` of `.distantFuture`.
  open var hasUndeterminedDuration: Bool { endDate == .distantFuture }

  /// The type, the dates and the identifier.
  open override var description: String {
    "\(sampleType.identifier) \(startDate.printed) - \(endDate.printed) \(uuid)"
  }

  /// The kind of the sample, which determines its class.
  final var sampleKind: SampleKind { built?.kind ?? view.kind }

  /// Returns the sample's payload.
  ///
  /// Traps if the sample has no payload of this type; `accepts` and the table of kinds rule this
  /// out.
  final func payload<Payload: SamplePayload>(_ type: Payload.Type) -> Payload {
    if let built {
      guard let payload = built.payload as? Payload else {
        fatalError("A \(Swift.type(of: self)) must have its payload.")
      }
      return payload
    }
    return view.payload(type, at: row)
  }

  /// Returns whether a correlation contains the sample, according to its block.
  ///
  /// - Throws: The errors of reading the correlation.
  final func isCorrelated() throws -> Bool {
    guard let block else { return false }
    return try block.isCorrelated(at: row)
  }
}
