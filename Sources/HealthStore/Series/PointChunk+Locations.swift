package import CoreLocation
import Foundation

// Converts between locations and chunks of points.
extension PointChunk {
  /// Splits locations into chunks.
  package static func chunks(of locations: [CLLocation]) -> [PointChunk] {
    chunks(.locations, of: locations) { location, out, stride in
      let coordinate = location.coordinate
      out[0] = location.timestamp.timeIntervalSinceReferenceDate
      out[stride] = coordinate.latitude
      out[2 * stride] = coordinate.longitude
      out[3 * stride] = location.altitude
      out[4 * stride] = location.horizontalAccuracy
      out[5 * stride] = location.verticalAccuracy
      out[6 * stride] = location.course
      out[7 * stride] = location.courseAccuracy
      out[8 * stride] = location.speed
      out[9 * stride] = location.speedAccuracy
      out[10 * stride] = flags(location.sourceInformation)
    }
  }

  private static func flags(_ source: CLLocationSourceInformation?) -> Double {
    guard let source else { return 0 }
    return 1 + (source.isSimulatedBySoftware ? 2 : 0) + (source.isProducedByAccessory ? 4 : 0)
  }

  var locations: [CLLocation] { (0..<count).map(location) }

  /// Returns the locations within a closed time interval.
  func locations(in interval: DateInterval) -> [CLLocation] {
    let (start, end) = (
      interval.start.timeIntervalSinceReferenceDate, interval.end.timeIntervalSinceReferenceDate
    )
    return (0..<count).filter { (start...end).contains(self[0, $0]) }.map(location)
  }

  private func location(_ point: Int) -> CLLocation {
    let coordinate = CLLocationCoordinate2D(
      latitude: self[1, point], longitude: self[2, point])
    let timestamp = Date(timeIntervalSinceReferenceDate: self[0, point])
    let flags = Int(self[10, point])
    guard flags > 0 else {
      return CLLocation(
        coordinate: coordinate, altitude: self[3, point], horizontalAccuracy: self[4, point],
        verticalAccuracy: self[5, point], course: self[6, point], courseAccuracy: self[7, point],
        speed: self[8, point], speedAccuracy: self[9, point], timestamp: timestamp)
    }
    return CLLocation(
      coordinate: coordinate, altitude: self[3, point], horizontalAccuracy: self[4, point],
      verticalAccuracy: self[5, point], course: self[6, point], courseAccuracy: self[7, point],
      speed: self[8, point], speedAccuracy: self[9, point], timestamp: timestamp,
      sourceInfo: CLLocationSourceInformation(
        softwareSimulationState: flags & 2 != 0, andExternalAccessoryState: flags & 4 != 0))
  }
}
