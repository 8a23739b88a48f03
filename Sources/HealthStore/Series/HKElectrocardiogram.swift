public import Foundation
import SampleLog

/// An electrocardiogram: voltages over time, and what they were found to show.
///
/// Read its voltages with an `HKElectrocardiogramQuery`.
open class HKElectrocardiogram: HKSample, @unchecked Sendable {
  /// What an electrocardiogram was found to show.
  public enum Classification: Int, Hashable, Sendable {
    /// It was not classified.
    case notSet = 0
    /// A regular rhythm.
    case sinusRhythm = 1
    /// Atrial fibrillation.
    case atrialFibrillation = 2
    /// Nothing, because the heart rate was too low.
    case inconclusiveLowHeartRate = 3
    /// Nothing, because the heart rate was too high.
    case inconclusiveHighHeartRate = 4
    /// Nothing, because the recording was poor.
    case inconclusivePoorReading = 5
    /// Nothing, for another reason.
    case inconclusiveOther = 6
    /// What this version does not know.
    case unrecognized = 100
  }

  /// Where the voltage was measured.
  public enum Lead: Int, Hashable, Sendable {
    /// On a watch, much like lead I.
    case appleWatchSimilarToLeadI = 1
  }

  /// Whether the person had symptoms.
  public enum SymptomsStatus: Int, Hashable, Sendable {
    /// Nothing was said of it.
    case notSet = 0
    /// The person had none.
    case none = 1
    /// The person had some.
    case present = 2
  }

  /// The voltages of an electrocardiogram at one time.
  open class VoltageMeasurement: NSObject, NSCopying, @unchecked Sendable {
    /// Seconds since the start of the electrocardiogram.
    public let timeSinceSampleStart: TimeInterval
    private let voltage: HKQuantity

    init(_ time: TimeInterval, _ voltage: HKQuantity) {
      timeSinceSampleStart = time
      self.voltage = voltage
    }

    /// The voltage of a lead; `nil` where it was not measured.
    open func quantity(for lead: Lead) -> HKQuantity? {
      lead == .appleWatchSimilarToLeadI ? voltage : nil
    }

    /// Returns itself, because it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
  }

  private var contents: ElectrocardiogramPayload { payload(ElectrocardiogramPayload.self) }

  /// How many voltages there are.
  open var numberOfVoltageMeasurements: Int { contents.count }

  /// How many voltages were measured a second.
  open var samplingFrequency: HKQuantity? {
    contents.samplingFrequency.map { HKQuantity(unit: .hertz(), doubleValue: $0) }
  }

  /// What it was found to show.
  open var classification: Classification { contents.classification }

  /// The average heart rate during it.
  open var averageHeartRate: HKQuantity? {
    contents.averageHeartRate.map {
      HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: $0)
    }
  }

  /// Whether the person had symptoms; ``HKQuery/predicateForObjectsAssociated(electrocardiogram:)``
  /// finds them.
  open var symptomsStatus: SymptomsStatus { contents.symptomsStatus }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.kind == .electrocardiogram && sample.payload is ElectrocardiogramPayload
  }
}

extension HKElectrocardiogram {
  /// Makes an electrocardiogram that is not saved yet.
  ///
  /// Our addition, as HealthKit has no way to make one; saving it saves the voltages with it, and
  /// the symptoms are to be saved like other samples. It lasts from its start until the last
  /// voltage was measured.
  ///
  /// - Parameters:
  ///   - start: When the first voltage was measured.
  ///   - voltages: The voltages, in `unit`, one at least.
  ///   - unit: The unit of the voltages.
  ///   - samplingFrequency: How many were measured a second, in hertz.
  ///   - classification: What it was found to show.
  ///   - averageHeartRate: The average heart rate, in a unit that is compatible with counts a
  ///     minute.
  ///   - symptomsStatus: Whether the person had symptoms.
  ///   - symptoms: Samples of the symptoms.
  ///   - device: What recorded it.
  ///   - metadata: Further facts.
  ///   - sourceRevision: Who recorded it, when that is not the running program.
  /// - Returns: The electrocardiogram.
  /// - Throws: ``HKInvalidSampleError`` when there is no voltage or one is not finite, when the
  ///   frequency is not positive or a unit is not as said above, when there are symptoms though the
  ///   status does not say so, and for dates and metadata that cannot be stored.
  public static func validated(
    start: Date,
    voltages: [Double],
    unit: HKUnit = .voltUnit(with: .micro),
    samplingFrequency: HKQuantity,
    classification: Classification,
    averageHeartRate: HKQuantity? = nil,
    symptomsStatus: SymptomsStatus = .notSet,
    symptoms: Set<HKCategorySample> = [],
    device: HKDevice? = nil,
    metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKElectrocardiogram {
    let type = HKObjectType.electrocardiogramType()
    func refuse(_ reason: String) -> HKInvalidSampleError {
      .invalidContents(type: type.identifier, reason: reason)
    }
    guard !voltages.isEmpty else { throw refuse("It has one voltage at least.") }
    guard voltages.allSatisfy(\.isFinite) else { throw .valueNotFinite(type: type.identifier) }
    guard unit.form.isCompatible(with: HKUnit.volt().form) else {
      throw refuse("\(unit) is no unit of voltage.")
    }
    guard let frequency = samplingFrequency.converted(to: .hertz()), frequency > 0,
      frequency.isFinite
    else { throw refuse("Its sampling frequency is not a positive number of hertz.") }
    let heartRate = averageHeartRate?.converted(to: .count().unitDivided(by: .minute()))
    guard averageHeartRate == nil || heartRate?.isFinite == true else {
      throw refuse("Its heart rate is not a number of counts a minute.")
    }
    guard symptoms.isEmpty || symptomsStatus == .present else {
      throw refuse("It has symptoms, and its status does not say so.")
    }
    let payload = ElectrocardiogramPayload(
      count: voltages.count, classification: classification, symptomsStatus: symptomsStatus,
      averageHeartRate: heartRate, samplingFrequency: frequency, unit: unit,
      members: symptoms.map { Member($0, revision: sourceRevision ?? .current) })
    let chunks = PointChunk.chunks(.voltages, of: Array(voltages.enumerated())) {
      voltage, out, stride in
      out[0] = Double(voltage.offset) / frequency
      out[stride] = voltage.element
    }
    return HKElectrocardiogram(
      built: try BuiltSample(
        validating: type, start: start,
        end: start.addingTimeInterval(Double(voltages.count - 1) / frequency), payload: payload,
        owned: chunks, device: device, metadata: metadata, sourceRevision: sourceRevision))
  }
}

extension PointChunk {
  /// The voltages of a chunk of them.
  func voltages(_ unit: HKUnit) -> [HKElectrocardiogram.VoltageMeasurement] {
    (0..<count).map {
      .init(self[0, $0], HKQuantity(unit: unit, doubleValue: self[1, $0]))
    }
  }
}

extension HKElectrocardiogram {
  /// The unit that its voltages are given in.
  package final var voltageUnit: HKUnit { contents.unit }

  /// The identifiers of its symptoms.
  final var symptoms: Set<UUID> { Set(contents.members.map(\.id.uuid)) }
}
