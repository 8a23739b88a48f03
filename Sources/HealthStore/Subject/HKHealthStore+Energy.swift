public import Foundation

// The estimate of a subject's resting energy.
extension HKHealthStore {
  /// Splits the energy burned in a period into resting and active energy.
  ///
  /// Apple does not document its formula. Here the resting energy follows the Mifflin-St Jeor
  /// equation, with the most recent weight and height before the end, the age at the start, and
  /// the biological sex (the mean of both sexes if it is neither male nor female). It is at most
  /// the total. The active energy is the remainder.
  ///
  /// - Parameters:
  ///   - totalEnergy: The total energy, in a unit of energy.
  ///   - startDate: The start of the period.
  ///   - endDate: The end of the period, not before its start.
  ///   - resultsHandler: Receives the resting and the active energy, in the total's unit, or `nil`
  ///     for both and an error: `errorInvalidArgument` for an incompatible unit, a negative energy
  ///     or an invalid period, or `errorNoData` if weight, height or date of birth are unknown or
  ///     access to them is denied.
  @available(*, deprecated, message: "No longer supported by HealthKit, which has no replacement.")
  @preconcurrency
  public func splitTotalEnergy(
    _ totalEnergy: HKQuantity, start startDate: Date, end endDate: Date,
    resultsHandler: @escaping @Sendable (HKQuantity?, HKQuantity?, (any Error)?) -> Void
  ) {
    let policy = authorization
    work(on: .readers) { store, subject in
      guard let total = totalEnergy.converted(to: .kilocalorie()), total >= 0, total.isFinite,
        startDate <= endDate
      else {
        throw HKError.make(
          .errorInvalidArgument,
          "The total must be an energy of 0 or more, and the time must not end before it begins.")
      }
      let rest = try RestingEnergy(
        store, subject: subject, policy: policy, start: startDate, end: endDate)
      let seconds = endDate.timeIntervalSince(startDate)
      return (total, min(total, rest.kilocalories(in: seconds)))
    } completion: { (result: Result<(Double, Double), any Error>) in
      switch result {
      case .success((let total, let rest)):
        // Splitting by a ratio makes both parts add up to the total exactly.
        let part = total > 0 ? rest / total : 0
        let resting = totalEnergy.value * part
        resultsHandler(
          HKQuantity(unit: totalEnergy.unit, doubleValue: resting),
          HKQuantity(unit: totalEnergy.unit, doubleValue: totalEnergy.value - resting), nil)
      case .failure(let error): resultsHandler(nil, nil, error)
      }
    }
  }
}

/// The resting energy of a subject by the equation of Mifflin and St Jeor (1990).
struct RestingEnergy {
  /// The weight, in kilograms.
  var weight: Double
  /// The height, in centimetres.
  var height: Double
  /// The age, in whole years.
  var age: Int
  var sex: HKBiologicalSex

  /// Returns the energy for a duration in seconds, in kilocalories.
  ///
  /// Never negative.
  func kilocalories(in seconds: Double) -> Double {
    let constant: Double =
      switch sex {
      case .male: 5
      case .female: -161
      case .notSet, .other: -78
      }
    let day = 10 * weight + 6.25 * height - 5 * Double(age) + constant
    return max(0, day) * seconds / 86_400
  }

  init(weight: Double, height: Double, age: Int, sex: HKBiologicalSex) {
    self.weight = weight
    self.height = height
    self.age = age
    self.sex = sex
  }

  /// Reads the inputs of the equation from a store, to the extent that a policy allows.
  init(
    _ store: OpenStore, subject: String, policy: AuthorizationPolicy?, start: Date, end: Date
  ) throws {
    let reader = StoreReader(store, subject: subject, policy: policy)
    func newest(_ type: HKQuantityType, _ unit: HKUnit) throws -> Double {
      let plan = try reader.plan([(type, .startDate(.less, end))])
      let found: [HKQuantitySample] = try reader.samples(
        plan, order: SampleOrder([SortDescriptor(\HKQuantitySample.startDate, order: .reverse)]),
        limit: 1)
      guard let value = found.first?.quantity.converted(to: unit) else {
        throw HKError.make(
          .errorNoData, "There is no \(type.identifier) before the end; save one first.")
      }
      return value
    }
    let settings = try SubjectSettings(store, subject: subject)
    let calendar = Calendar(identifier: .gregorian)
    guard let day = try settings.number(.dateOfBirth, policy),
      let birth = calendar.date(from: CalendarDay(number: day).components(in: calendar)),
      let age = calendar.dateComponents([.year], from: birth, to: start).year
    else {
      throw HKError.make(
        .errorNoData, "The date of birth was not set; set it with setDateOfBirth(_:).")
    }
    let sex = try settings.number(.biologicalSex, policy)
    self.init(
      weight: try newest(HKQuantityType(.bodyMass), .gramUnit(with: .kilo)),
      height: try newest(HKQuantityType(.height), .meterUnit(with: .centi)),
      age: max(0, age), sex: sex.flatMap(HKBiologicalSex.init) ?? .notSet)
  }
}
