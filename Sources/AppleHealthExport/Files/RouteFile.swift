package import CoreLocation
import Foundation

/// The locations of a GPX file, with the fields that Apple Health writes.
///
/// The points of tracks are read in file order, with elevation, time, speed, course and accuracies.
/// Namespaces, names of tracks and everything else are skipped. Like ``ExportScanner``, this is not
/// a conforming XML parser: it accepts any bytes, which may contain no locations.
package struct RouteFile {
  /// The locations in file order.
  package private(set) var locations: [CLLocation] = []
  /// The number of points whose latitude, longitude or time is missing or invalid.
  package private(set) var brokenPoints = 0
  /// The number of elevations, speeds, courses and accuracies that cannot be parsed.
  ///
  /// Their points are kept without these values.
  package private(set) var brokenNumbers = 0
  /// Whether the file contains the end of its root element.
  package private(set) var isComplete = false

  /// Parses a file.
  package init(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { read(MarkupReader($0)) }
  }

  /// A point of a track, any field of which may be missing.
  struct Point {
    var latitude: Double?
    var longitude: Double?
    var time: Date?
    var elevation: Double?
    var speed: Double?
    var course: Double?
    var horizontalAccuracy: Double?
    var verticalAccuracy: Double?

    /// The location, or nil if latitude, longitude or time is missing or out of range.
    var location: CLLocation? {
      guard let latitude, let longitude, let time,
        (-90...90).contains(latitude), (-180...180).contains(longitude)
      else { return nil }
      // In Core Location, a negative course, speed or accuracy marks an unknown value.
      return CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
        altitude: elevation ?? 0, horizontalAccuracy: horizontalAccuracy ?? 0,
        verticalAccuracy: verticalAccuracy ?? (elevation == nil ? -1 : 0), course: course ?? -1,
        speed: speed ?? -1, timestamp: time)
    }
  }

  private mutating func read(_ markup: MarkupReader) {
    var markup = markup
    var point: Point?
    while let tag = markup.next() {
      if tag.name.equals("trkpt") {
        if tag.isEnd {
          finish(&point)
        } else {
          if point != nil { brokenPoints += 1 }
          point = Point(latitude: tag.number("lat"), longitude: tag.number("lon"))
          if tag.isEmpty { finish(&point) }
        }
      } else if tag.name.equals("gpx") {
        isComplete = tag.isEnd || tag.isEmpty
      }
      guard !tag.isEnd, point != nil else { continue }
      let text = tag.text
      if tag.name.equals("time") { point?.time = ExportDateFormat.instant(text) }
      if tag.name.equals("ele") { point?.elevation = number(text) }
      if tag.name.equals("speed") { point?.speed = number(text) }
      if tag.name.equals("course") { point?.course = number(text) }
      if tag.name.equals("hAcc") { point?.horizontalAccuracy = number(text) }
      if tag.name.equals("vAcc") { point?.verticalAccuracy = number(text) }
    }
    if point != nil { brokenPoints += 1 }
  }

  private mutating func number(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    let number = text.number
    if number == nil { brokenNumbers += 1 }
    return number
  }

  private mutating func finish(_ point: inout Point?) {
    guard let read = point.take() else { return }
    if let location = read.location { locations.append(location) } else { brokenPoints += 1 }
  }
}
