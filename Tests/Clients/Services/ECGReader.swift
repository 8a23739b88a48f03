import HealthKit

// Voltages from a query's handler and from a sequence.

struct Lead: Equatable, Sendable {
  var seconds: [Double] = []
  var microvolts: [Double] = []
}

class ECGReader {
  private let healthStore: HKHealthStore
  private let ecgType = HKObjectType.electrocardiogramType()

  init(healthStore: HKHealthStore) { self.healthStore = healthStore }

  func latest(completion: @escaping (HKElectrocardiogram?) -> Void) {
    let sort = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
    let query = HKSampleQuery(
      sampleType: ecgType, predicate: nil, limit: 1, sortDescriptors: [sort]
    ) { _, samples, _ in
      completion(samples?.first as? HKElectrocardiogram)
    }
    healthStore.execute(query)
  }

  func voltages(of ecg: HKElectrocardiogram) async throws -> Lead {
    try await withCheckedThrowingContinuation { continuation in
      var lead = Lead()
      let query = HKElectrocardiogramQuery(ecg) { query, result in
        switch result {
        case .measurement(let measurement):
          if let quantity = measurement.quantity(for: .appleWatchSimilarToLeadI) {
            lead.seconds.append(measurement.timeSinceSampleStart)
            lead.microvolts.append(quantity.doubleValue(for: .voltUnit(with: .micro)))
          }
        case .done:
          continuation.resume(returning: lead)
        case .error(let error):
          continuation.resume(throwing: error)
        @unknown default:
          break
        }
      }
      healthStore.execute(query)
    }
  }

  func peak(of ecg: HKElectrocardiogram) async throws -> Double {
    var peak = -Double.infinity
    for try await measurement in HKElectrocardiogramQueryDescriptor(ecg).results(for: healthStore) {
      let volts = measurement.quantity(for: .appleWatchSimilarToLeadI)?.doubleValue(for: .volt())
      peak = max(peak, volts ?? peak)
    }
    return peak
  }

  func count(classifiedAs classification: HKElectrocardiogram.Classification) async throws
    -> Int
  {
    let predicate = HKQuery.predicateForElectrocardiograms(classification: classification)
    let descriptor = HKSampleQueryDescriptor(
      predicates: [.electrocardiogram(predicate)], sortDescriptors: [])
    return try await descriptor.result(for: healthStore).count
  }

  func describe(_ ecg: HKElectrocardiogram) -> String {
    let rate = ecg.averageHeartRate?.doubleValue(for: HKUnit(from: "count/min"))
    let frequency = ecg.samplingFrequency?.doubleValue(for: HKUnit.hertz())
    let name: String
    switch ecg.classification {
    case .sinusRhythm: name = "sinus rhythm"
    case .atrialFibrillation: name = "atrial fibrillation"
    case .notSet, .unrecognized: name = "unknown"
    default: name = "inconclusive"
    }
    return "\(name), \(ecg.numberOfVoltageMeasurements) voltages at \(frequency ?? 0) Hz, "
      + "pulse \(rate ?? 0), symptoms \(ecg.symptomsStatus == .present ? "yes" : "no")"
  }
}
