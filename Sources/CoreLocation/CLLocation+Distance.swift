import Foundation

extension CLLocation {
  /// Returns the distance to another location along the surface of the earth, in metres.
  ///
  /// Uses Vincenty's inverse formula on the WGS 84 ellipsoid, accurate to a millimetre. For nearly
  /// antipodal points, where the formula does not converge, returns the distance on a sphere.
  /// Altitudes are ignored.
  public func distance(from location: CLLocation) -> CLLocationDistance {
    Geodesic(from: location.coordinate, to: coordinate).length
  }
}

/// The shortest path between two coordinates.
private struct Geodesic {
  private static let equator = 6_378_137.0
  private static let flattening = 1 / 298.257223563
  private static let pole = equator * (1 - flattening)

  private let sin1: Double
  private let cos1: Double
  private let sin2: Double
  private let cos2: Double
  private let difference: Double
  private let haversine: Double

  init(from start: CLLocationCoordinate2D, to end: CLLocationCoordinate2D) {
    let radians = Double.pi / 180
    // Converts latitudes to reduced latitudes on the auxiliary sphere.
    func reduced(_ latitude: Double) -> Double {
      atan((1 - Self.flattening) * tan(latitude * radians))
    }
    let (first, second) = (reduced(start.latitude), reduced(end.latitude))
    (sin1, cos1) = (sin(first), cos(first))
    (sin2, cos2) = (sin(second), cos(second))
    difference = remainder((end.longitude - start.longitude) * radians, 2 * .pi)
    let rise = sin((end.latitude - start.latitude) * radians / 2)
    let run = sin(difference / 2)
    haversine =
      rise * rise + cos(start.latitude * radians) * cos(end.latitude * radians) * run * run
  }

  var length: Double {
    if haversine == 0 { return 0 }
    var longitude = difference
    for _ in 0..<100 {
      let (sine, cosine) = (sin(longitude), cos(longitude))
      let across = cos2 * sine
      let along = cos1 * sin2 - sin1 * cos2 * cosine
      let sinArc = (across * across + along * along).squareRoot()
      let cosArc = sin1 * sin2 + cos1 * cos2 * cosine
      let arc = atan2(sinArc, cosArc)
      if sinArc == 0 { return 0 }
      let sinAzimuth = cos1 * cos2 * sine / sinArc
      let cosSquared = 1 - sinAzimuth * sinAzimuth
      // Zero for a path along the equator.
      let middle = cosSquared == 0 ? 0 : cosArc - 2 * sin1 * sin2 / cosSquared
      let c = Self.flattening / 16 * cosSquared * (4 + Self.flattening * (4 - 3 * cosSquared))
      let previous = longitude
      longitude =
        difference
        + (1 - c) * Self.flattening * sinAzimuth
        * (arc + c * sinArc * (middle + c * cosArc * (2 * middle * middle - 1)))
      if abs(longitude) > .pi { break }
      if abs(longitude - previous) < 1e-12 {
        return length(arc, sinArc, cosArc, cosSquared, middle)
      }
    }
    return 2 * 6_371_008.8 * asin(min(1, haversine.squareRoot()))
  }

  private func length(
    _ arc: Double, _ sinArc: Double, _ cosArc: Double, _ cosSquared: Double, _ middle: Double
  ) -> Double {
    let u = cosSquared * (Self.equator * Self.equator / (Self.pole * Self.pole) - 1)
    let a = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
    let b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
    let square = 2 * middle * middle - 1
    let tail = b / 6 * middle * (4 * sinArc * sinArc - 3) * (4 * middle * middle - 3)
    let correction = b * sinArc * (middle + b / 4 * (cosArc * square - tail))
    return Self.pole * a * (arc - correction)
  }
}
