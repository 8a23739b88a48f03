import CoreLocation
import Foundation
import HealthStore
import SampleLog

// Imports the files that accompany the document.
extension ExportImporter {
  /// Returns the route of a workout, or nil if it cannot be imported, which the summary then
  /// reports.
  func route(
    _ route: ExportWorkoutRoute, of workout: UUID, at offset: Int64
  ) -> IncomingSample? {
    var locations: [CLLocation] = []
    for location in route.locations {
      note(at: offset) { () throws(ImportRejection) in
        guard let location = location.location else {
          throw .unstorable(
            HKSeriesType.workoutRoute().identifier, "a location is not on the Earth.")
        }
        locations.append(location)
      }
    }
    if let path = route.file {
      let name = String(path.drop { $0 == "/" })
      guard let read = readRoute(name) else { return nil }
      locations += read
    } else if locations.isEmpty {
      note(at: offset) { () throws(ImportRejection) in
        throw .unstorable(HKSeriesType.workoutRoute().identifier, "it has no locations.")
      }
    }
    return sample(locations, route.origin, route.metadata, memberOf: workout, at: offset)
  }

  /// Imports the files that the document does not reference.
  func takeRemainingFiles() throws {
    for (name, reason) in files.refused { summary.note(.unreadable(reason: reason), file: name) }
    for name in files.names where !readFiles.contains(name) {
      if name.hasSuffix(".gpx") {
        // No element names the source of the route.
        let origin = ExportOrigin(sourceName: Self.sourceName)
        let route = readRoute(name).flatMap { sample($0, origin, [], memberOf: nil, at: 0) }
        if let route { add(route, at: 0) }
      } else if name.hasPrefix("electrocardiograms/"), name.hasSuffix(".csv") {
        if let read = readElectrocardiogram(name) { add(read) }
      } else {
        summary.note(.unrepresented, file: name)
      }
      try commitIfFull()
    }
  }

  /// Returns the locations in a file, or nil if it has none, which the summary then reports.
  private func readRoute(_ name: String) -> [CLLocation]? {
    guard let bytes = readFile(name) else { return nil }
    let file = RouteFile(bytes)
    if file.locations.isEmpty {
      summary.note(.empty, file: name)
      return nil
    }
    if file.brokenPoints > 0 || !file.isComplete {
      summary.note(.damaged(points: file.brokenPoints), file: name)
    } else if file.brokenNumbers > 0 {
      summary.note(.incomplete(numbers: file.brokenNumbers), file: name)
    }
    return file.locations
  }

  /// Returns the electrocardiogram in a file, or nil if it has none, which the summary then
  /// reports.
  private func readElectrocardiogram(_ name: String) -> ElectrocardiogramFile? {
    guard let bytes = readFile(name) else { return nil }
    guard let file = ElectrocardiogramFile(bytes) else {
      summary.note(.empty, file: name)
      return nil
    }
    if let unit = file.unknownUnit {
      // Numbers in an unknown unit would be stored as other values.
      summary.note(.unreadable(reason: "its unit \(unit.clipped) is not known"), file: name)
      return nil
    }
    if file.brokenLines > 0 { summary.note(.damaged(points: file.brokenLines), file: name) }
    return file
  }

  /// Returns the bytes of a file, or nil if it cannot be read or has more than `limit`, which the
  /// summary then reports.
  func readFile(_ name: String, limit: Int = ExportFiles.byteLimit) -> [UInt8]? {
    let name = files.canonical(name)
    readFiles.insert(name)
    guard files.names.contains(name) else {
      summary.note(.missing, file: name)
      return nil
    }
    do {
      if let bytes = try files.bytes(of: name, limit: limit) { return bytes }
      summary.note(.tooLong(limit: limit), file: name)
    } catch {
      summary.note(.unreadable(reason: error.description), file: name)
    }
    return nil
  }

  private func sample(
    _ locations: [CLLocation], _ origin: ExportOrigin, _ metadata: [ExportEntry],
    memberOf workout: UUID?, at offset: Int64
  ) -> IncomingSample? {
    let ordered = locations.sorted { $0.timestamp < $1.timestamp }
    guard let start = ordered.first?.timestamp, let end = ordered.last?.timestamp else {
      return nil
    }
    let type = HKSeriesType.workoutRoute().identifier
    let earlier = identities.earlier?.content(
      ofSeries: type, origin, start, end, count: ordered.count)
    do throws(ImportRejection) {
      var sample = try converter.sample(type, start, end, 0, nil, origin, metadata)
      identify(&sample, contents(of: sample, .count(ordered.count), earlier: earlier))
      if workout != nil { replaceUnnamed(by: sample, count: ordered.count) }
      sample.payload = WorkoutRoutePayload(count: ordered.count)
      sample.children = PointChunk.chunks(of: ordered)
      sample.memberOf = workout.map { [Identifier($0)] } ?? []
      return sample
    } catch {
      summary.note(error.problem, at: offset)
      return nil
    }
  }
}

extension ExportImporter {
  /// Deletes the copy of a route that was imported without its workout from a truncated document.
  ///
  /// The complete document references the file of the route from a workout.
  private func replaceUnnamed(by route: IncomingSample, count: Int) {
    guard identities.earlier != nil, stored(route.uuid) == nil else { return }
    var unnamed = route
    unnamed.metadata = [:]
    unnamed.sourceRevision = Self.unnamedRevision
    let id = identifier(contents(of: unnamed, .count(count)).own, 1)
    if identities.isClaimed(id) || stored(id) == nil { return }
    identities.claim(id)
    writer.delete(Identifier(id))
  }

  /// The source revision of objects whose source no element names.
  private static let unnamedRevision = HKSourceRevision(
    source: HKSource(name: sourceName, bundleIdentifier: sourceName), version: nil,
    productType: nil,
    operatingSystemVersion: OperatingSystemVersion(
      majorVersion: 0, minorVersion: 0, patchVersion: 0))

  private func add(_ file: ElectrocardiogramFile) {
    let type = HKObjectType.electrocardiogramType().identifier
    let (count, frequency) = (file.voltages.count, file.samplingFrequency)
    // The name of the recording app, which the file omits.
    let origin = ExportOrigin(sourceName: "ECG", sourceVersion: file.softwareVersion)
    let earlier = identities.earlier?.content(
      ofSeries: type, origin, file.start, file.end, count: count)
    if let text = file.unknownClassification {
      summary.noteUnknown("HKElectrocardiogram \(text)".clipped, at: 0)
    }
    do throws(ImportRejection) {
      var sample = try converter.sample(type, file.start, file.end, 0, nil, origin, [])
      identify(&sample, contents(of: sample, .count(count), earlier: earlier))
      sample.device = file.device.map {
        HKDevice(
          name: nil, manufacturer: nil, model: nil, hardwareVersion: $0, firmwareVersion: nil,
          softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
      }
      sample.payload = ElectrocardiogramPayload(
        count: count, classification: file.classification ?? .notSet,
        symptomsStatus: file.symptoms, averageHeartRate: nil, samplingFrequency: frequency,
        unit: file.unit, members: [])
      let times = file.positions.map { Double($0) / frequency }
      sample.children = PointChunk.chunks(.voltages, columns: [times, file.voltages])
      add(sample, at: 0)
    } catch {
      summary.note(error.problem, at: 0)
    }
  }
}

extension ExportLocation {
  /// The location, validated in the same way as in route files.
  fileprivate var location: CLLocation? {
    var point = RouteFile.Point(latitude: latitude, longitude: longitude, time: date)
    (point.elevation, point.speed, point.course) = (altitude, speed, course)
    (point.horizontalAccuracy, point.verticalAccuracy) = (horizontalAccuracy, verticalAccuracy)
    return point.location
  }
}
