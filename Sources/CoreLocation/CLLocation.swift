public import Foundation

/// A position on the earth at one moment, with accuracy, course and speed.
///
/// Immutable. As in Apple's framework, two locations are equal only if they are the same object.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let latitude: CLLocationDegrees
  private let longitude: CLLocationDegrees
  /// The altitude above mean sea level, in metres; valid only if `verticalAccuracy` is positive.
  public let altitude: CLLocationDistance
  /// The radius of uncertainty, in metres; negative if the coordinate is not valid.
  public let horizontalAccuracy: CLLocationAccuracy
  /// The uncertainty of the altitude, in metres; zero or negative if the altitude is not valid.
  public let verticalAccuracy: CLLocationAccuracy
  /// The direction of travel, in degrees clockwise from true north; negative if unknown.
  public let course: CLLocationDirection
  /// The uncertainty of the course, in degrees; negative if unknown.
  public let courseAccuracy: CLLocationDirectionAccuracy
  /// The speed, in metres per second; negative if unknown.
  public let speed: CLLocationSpeed
  /// The uncertainty of the speed, in metres per second; negative if unknown.
  public let speedAccuracy: CLLocationSpeedAccuracy
  /// The time at which the position was determined.
  public let timestamp: Date
  /// Information about the source of the location, if known.
  public let sourceInformation: CLLocationSourceInformation?

  /// The latitude and longitude.
  open var coordinate: CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
  }

  /// The altitude above the WGS 84 ellipsoid, in metres; always 0, because no initialiser sets it.
  open var ellipsoidalAltitude: CLLocationDistance { 0 }

  /// The floor of a building; always nil, because only a device can determine it.
  open var floor: CLFloor? { nil }

  /// Creates a location with the current time, altitude and horizontal accuracy 0, and all other
  /// values unknown.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  /// Creates a location without course and speed.
  public convenience init(
    coordinate: CLLocationCoordinate2D,
    altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy,
    timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
      verticalAccuracy: vAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  /// Creates a location with course and speed of unknown accuracy.
  public convenience init(
    coordinate: CLLocationCoordinate2D,
    altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy,
    course: CLLocationDirection,
    speed: CLLocationSpeed,
    timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
      verticalAccuracy: vAccuracy, course: course, courseAccuracy: -1, speed: speed,
      speedAccuracy: -1, timestamp: timestamp)
  }

  /// Creates a location with the accuracies of course and speed.
  public convenience init(
    coordinate: CLLocationCoordinate2D,
    altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy,
    course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy,
    timestamp: Date
  ) {
    self.init(
      coordinate, altitude, hAccuracy, vAccuracy, course, courseAccuracy, speed, speedAccuracy,
      timestamp, nil)
  }

  /// Creates a location with all values and its source information.
  public convenience init(
    coordinate: CLLocationCoordinate2D,
    altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy,
    course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy,
    timestamp: Date,
    sourceInfo: CLLocationSourceInformation
  ) {
    self.init(
      coordinate, altitude, hAccuracy, vAccuracy, course, courseAccuracy, speed, speedAccuracy,
      timestamp, sourceInfo)
  }

  private init(
    _ coordinate: CLLocationCoordinate2D, _ altitude: CLLocationDistance,
    _ horizontalAccuracy: CLLocationAccuracy, _ verticalAccuracy: CLLocationAccuracy,
    _ course: CLLocationDirection, _ courseAccuracy: CLLocationDirectionAccuracy,
    _ speed: CLLocationSpeed, _ speedAccuracy: CLLocationSpeedAccuracy, _ timestamp: Date,
    _ sourceInformation: CLLocationSourceInformation?
  ) {
    latitude = coordinate.latitude
    longitude = coordinate.longitude
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.timestamp = timestamp
    self.sourceInformation = sourceInformation
  }

  /// Returns the same object, because locations are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The coordinate, accuracy, speed, course and time.
  open override var description: String {
    "<\(latitude),\(longitude)> +/- \(horizontalAccuracy)m "
      + "(speed \(speed) mps / course \(course)) @ \(timestamp)"
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Encodes all properties.
  open func encode(with coder: NSCoder) {
    let numbers = [
      latitude, longitude, altitude, horizontalAccuracy, verticalAccuracy, course, courseAccuracy,
      speed, speedAccuracy, timestamp.timeIntervalSinceReferenceDate,
    ]
    // Encodes bit patterns, because a property list does not preserve the sign and payload of a
    // NaN.
    let bytes = numbers.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
    coder.encode(Data(bytes) as NSData, forKey: "numbers")
    coder.encode(sourceInformation, forKey: "sourceInformation")
  }

  /// Decodes a location encoded by ``encode(with:)``; returns nil for other data.
  public required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "numbers"), data.length == 80
    else { return nil }
    let bytes = Array(data as Data)
    let numbers = bytes.withUnsafeBytes { buffer in
      (0..<10).map {
        Double(
          bitPattern: UInt64(
            littleEndian: buffer.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)))
      }
    }
    latitude = numbers[0]
    longitude = numbers[1]
    altitude = numbers[2]
    horizontalAccuracy = numbers[3]
    verticalAccuracy = numbers[4]
    course = numbers[5]
    courseAccuracy = numbers[6]
    speed = numbers[7]
    speedAccuracy = numbers[8]
    timestamp = Date(timeIntervalSinceReferenceDate: numbers[9])
    sourceInformation = coder.decodeObject(
      of: CLLocationSourceInformation.self, forKey: "sourceInformation")
  }
}
