/// An angle in degrees: latitude north of the equator, or longitude east of Greenwich.
public typealias CLLocationDegrees = Double
/// A distance in metres.
public typealias CLLocationDistance = Double
/// A speed in metres per second.
public typealias CLLocationSpeed = Double
/// The accuracy of a speed in metres per second.
public typealias CLLocationSpeedAccuracy = Double
/// A direction in degrees, clockwise from true north.
public typealias CLLocationDirection = Double
/// The accuracy of a direction in degrees.
public typealias CLLocationDirectionAccuracy = Double
/// The accuracy of a position in metres.
public typealias CLLocationAccuracy = Double

/// A latitude and a longitude in the WGS 84 reference system.
///
/// As in Apple's framework, it is not `Equatable`.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees north of the equator; negative values are south.
  public var latitude: CLLocationDegrees
  /// Degrees east of Greenwich; negative values are west.
  public var longitude: CLLocationDegrees

  /// Creates the coordinate 0°, 0°.
  public init() { self.init(latitude: 0, longitude: 0) }

  /// Creates a coordinate without validation; use ``CLLocationCoordinate2DIsValid(_:)``.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A coordinate that is not valid.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Creates a coordinate without validation.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Returns whether the latitude is in -90...90 and the longitude in -180...180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  (-90...90).contains(coord.latitude) && (-180...180).contains(coord.longitude)
}
