public import Foundation
import SampleLog

/// An electrocardiogram: voltages over time, with a classification.
///
/// Read its voltages with an `HKElectrocardiogramQuery`.
open class HKElectrocardiogram: HKSample, @unchecked Sendable {
  /// The classification of an electrocardiogram.
  public enum Classification: Int, Hashable, Sendable {
    /// Not classified.
    case notSet = 0
    /// A regular rhythm.
    case sinusRhythm = 1
    /// Atrial fibrillation.
    case atrialFibrillation = 2
    /// Inconclusive because the heart rate was too low.
    case inconclusiveLowHeartRate = 3
    /// Inconclusive because the heart rate was too high.
    case inconclusiveHighHeartRate = 4
    /// Inconclusive because the recording was poor.
    case inconclusivePoorReading = 5
    /// Inconclusive for another reason.
    case inconclusiveOther = 6
    /// A result that this version does not recognise.
    case unrecognized = 100
  }

  /// The lead of a voltage measurement.
  public enum Lead: Int, Hashable, Sendable {
    /// A lead on Apple Watch, similar to lead I.
    case appleWatchSimilarToLeadI = 1
  }

  /// Whether the subject had symptoms.
  public enum SymptomsStatus: Int, Hashable, Sendable {
    /// Not recorded.
    case notSet = 0
    /// The subject had no symptoms.
    case none = 1
    /// The subject had symptoms.
    case present = 2
  }

  /// The voltages of an electrocardiogram at one time.
  open class VoltageMeasurement: NSObject, NSCopying, @unchecked Sendable {
    /// The time since the start of the electrocardiogram, in seconds.
    public let timeSinceSampleStart: TimeInterval
    private let voltage: HKQuantity

    init(_ time: TimeInterval, _ voltage: HKQuantity) {
      timeSinceSampleStart = time
      self.voltage = voltage
    }

    /// Returns the voltage of a lead, or nil if it was not measured.
    open func quantity(for lead: Lead) -> HKQuantity? {
      lead == .appleWatchSimilarToLeadI ? voltage : nil
    }

    /// Returns the same object, because measurements are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }
  }

  private var contents: ElectrocardiogramPayload { payload(ElectrocardiogramPayload.self) }

  /// The number of voltage measurements.
  open var numberOfVoltageMeasurements: Int { contents.count }

  /// The sampling frequency of the voltages.
  open var samplingFrequency: HKQuantity? {
    contents.samplingFrequency.map { HKQuantity(unit: .hertz(), doubleValue: $0) }
  }

  /// The classification of the electrocardiogram.
  open var classification: Classification { contents.classification }

  /// The average heart rate during the electrocardiogram.
  open var averageHeartRate: HKQuantity? {
    contents.averageHeartRate.map {
      HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: $0)
    }
  }

  /// Whether the subject had symptoms.
  ///
  /// ``HKQuery/predicateForObjectsAssociated(electrocardiogram:)`` matches their samples.
  open var symptomsStatus: SymptomsStatus { contents.symptomsStatus }

  override class var payloadType: (any SamplePayload.Type)? { ElectrocardiogramPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.kind == .electrocardiogram && sample.payload is ElectrocardiogramPayload
  }
}

extension HKElectrocardiogram {
  /// Returns an electrocardiogram that is not saved yet.
  ///
  /// This is an addition, because HealthKit cannot create electrocardiograms. Saving one also saves
  /// its voltages; save the symptom samples separately. Its end is the time of the last voltage.
  ///
  /// - Parameters:
  ///   - start: The time of the first voltage.
  ///   - voltages: The voltages in `unit`, at least one.
  ///   - unit: The unit of the voltages.
  ///   - samplingFrequency: The sampling frequency, compatible with hertz.
  ///   - classification: The classification.
  ///   - averageHeartRate: The average heart rate, in a unit compatible with counts per minute.
  ///   - symptomsStatus: Whether the subject had symptoms.
  ///   - symptoms: Samples of the symptoms.
  ///   - device: The device that recorded the electrocardiogram.
  ///   - metadata: The metadata of the electrocardiogram.
  ///   - sourceRevision: The source of the recording, or nil for the running program.
  /// - Returns: The electrocardiogram.
  /// - Throws: ``HKInvalidSampleError`` if there are no voltages or one is not finite, the
  ///   frequency is not positive, a unit is incompatible, there are symptoms although the status
  ///   does not report any, or the dates or metadata cannot be stored.
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
        children: chunks, device: device, metadata: metadata, sourceRevision: sourceRevision))
  }
}

extension PointChunk {
  func voltages(_ unit: HKUnit) -> [HKElectrocardiogram.VoltageMeasurement] {
    (0..<count).map {
      .init(self[0, $0], HKQuantity(unit: unit, doubleValue: self[1, $0]))
    }
  }
}

extension HKElectrocardiogram {
  package final var voltageUnit: HKUnit { contents.unit }

  /// The identifiers of the symptom samples.
  final var symptoms: Set<UUID> { Set(contents.members.map(\.id.uuid)) }
}
