public import Foundation

/// An object with a type and a time.
///
/// Abstract: make an `HKQuantitySample`, `HKCategorySample`, `HKCorrelation` or `HKWorkout`.
open class HKSample: HKObject, @unchecked Sendable {
  /// The kind of data.
  open var sampleType: HKSampleType {
    if let built { return built.sampleType }
    return view.sampleType
  }

  /// When the sample begins.
  open var startDate: Date {
    if let built { return built.startDate }
    return view.startDate(at: row)
  }

  /// When the sample ends: never before `startDate`.
  open var endDate: Date {
    if let built { return built.endDate }
    return view.endDate(at: row)
  }

  /// Whether the end is not known yet, which an `endDate` of `.distantFuture` says.
  open var hasUndeterminedDuration: Bool { endDate == .distantFuture }

  /// The class, type, time and identifier.
  open override var description: String {
    "\(sampleType.identifier) \(startDate.printed) - \(endDate.printed) \(uuid)"
  }

  /// The class that the sample is of, or that it is a subclass of.
  final var sampleKind: SampleKind { built?.kind ?? view.kind }

  /// What the sample has beside the fields of every sample.
  ///
  /// Traps for a class that has another payload or none: `accepts` and the table of families see to
  /// it that there is no such object.
  final func payload<Payload: SamplePayload>(_ type: Payload.Type) -> Payload {
    if let built {
      guard let payload = built.payload as? Payload else {
        fatalError("A \(Swift.type(of: self)) must have its payload.")
      }
      return payload
    }
    return view.payload(type, at: row)
  }

  /// Whether a correlation contains the sample, as far as its block knows.
  ///
  /// - Throws: What reading the correlation throws.
  final func isCorrelated() throws -> Bool {
    guard let block else { return false }
    return try block.isCorrelated(at: row)
  }
}
