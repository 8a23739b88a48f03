import SampleLog

extension FeedSimulation {
  /// Registers a series, or acknowledges, stops, resumes or removes its registration.
  func register() throws {
    guard let database, nesting != .writing else { return }
    let series = random.drawn(below: Self.sampleSeriesCount)
    let key = keys[series]
    var registration: DeliveryRegistration?
    if var known = registrations[series] {
      let choice = random.drawn(below: 10)
      switch choice {
      case 0, 1: known.isStopped.toggle()
      case 2: known.failureCount += 1
      // Not the clock's time, which must influence only the retention of deletions.
      case 3: known.lastDelivery = Double(random.drawn(below: 1000))
      default:
        known.sequence += UInt64(random.drawn(below: Int(model.end - known.sequence) + 1))
      }
      registration = choice == 9 ? nil : known
      inFlight = .registering(series, registration)
      if let registration {
        try database.update([(key, registration)], durability: .buffered)
      } else {
        try database.removeRegistrations(of: [key])
      }
    } else {
      registration = DeliveryRegistration(frequency: 1, sequence: model.end)
      inFlight = .registering(series, registration)
      let made = try database.register(key, frequency: 1)
      if !hasCrashed, made != registration {
        record(.broken("\(made) was registered at \(model.end)"))
      }
    }
    if hasCrashed { return }
    inFlight = nil
    // An unchanged registration is not logged.
    if database.end > model.end { committed(targets: [], added: [], end: database.end) }
    notified(series, registration)
    askRegistrations()
  }

  /// Records a series' registration, or nil if it was removed.
  func notified(_ series: Int, _ registration: DeliveryRegistration?) {
    registrations[series] = registration
    record(.registered(series: series, registration, retention: plan.deliveryRetention))
  }

  /// Records the registrations found by an opening, and their pending deliveries.
  func recallRegistrations(_ database: Database) throws {
    var found: [Int: DeliveryRegistration] = [:]
    for (series, key) in keys.enumerated() { found[series] = try database.registration(of: key) }
    record(.remembered(found))
    askRegistrations()
  }

  /// Checks for each registration whether deliveries are pending.
  func askRegistrations() {
    guard let database, !hasCrashed else { return }
    let snapshot = database.snapshot()
    for (series, registration) in registrations.sorted(by: { $0.key < $1.key }) {
      let isBehind = snapshot.isBehind(registration, keys[series])
      record(.behind(series: series, isBehind, floor: snapshot.floor))
    }
  }
}
