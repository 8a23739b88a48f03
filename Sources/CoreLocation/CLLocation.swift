public import Foundation

/// A position on the earth at one moment, with how accurate it is, and how fast it changes.
///
/// Immutable. As in Apple's framework two locations are equal only when they are one object.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let latitude: CLLocationDegrees
  private let longitude: CLLocationDegrees
  /// Metres above mean sea level; means something where `verticalAccuracy` is positive.
  public let altitude: CLLocationDistance
  /// The radius of uncertainty in metres; negative where the coordinate is not valid.
  public let horizontalAccuracy: CLLocationAccuracy
  /// The uncertainty of the altitude in metres; not positive where the altitude is not valid.
  public let verticalAccuracy: CLLocationAccuracy
  /// The direction of travel in degrees from true north; negative where it is not known.
  public let course: CLLocationDirection
  /// The uncertainty of the course in degrees; negative where it is not known.
  public let courseAccuracy: CLLocationDirectionAccuracy
  /// Metres per second; negative where it is not known.
  public let speed: CLLocationSpeed
  /// The uncertainty of the speed in metres per second; negative where it is not known.
  public let speedAccuracy: CLLocationSpeedAccuracy
  /// When the position was determined.
  public let timestamp: Date
  /// What is known of where the location came from.
  public let sourceInformation: CLLocationSourceInformation?

  /// The latitude and longitude.
  open var coordinate: CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
  }

  /// Metres above the ellipsoid of WGS 84: always 0, because no initialiser sets it.
  open var ellipsoidalAltitude: CLLocationDistance { 0 }

  /// The floor of a building: always `nil`, because only a device knows it.
  open var floor: CLFloor? { nil }

  /// Makes a location of now, with altitude and horizontal accuracy 0 and all else unknown.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  /// Makes a location without course and speed.
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

  /// Makes a location with course and speed, whose accuracies are unknown.
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

  /// Makes a location with the accuracies of course and speed.
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

  /// Makes a location with all there is, and where it came from.
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

  /// Returns itself, because it does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Coordinate, accuracies, speed, course and time.
  open override var description: String {
    "<\(latitude),\(longitude)> +/- \(horizontalAccuracy)m "
      + "(speed \(speed) mps / course \(course)) @ \(timestamp)"
  }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Writes every property.
  open func encode(with coder: NSCoder) {
    let numbers = [
      latitude, longitude, altitude, horizontalAccuracy, verticalAccuracy, course, courseAccuracy,
      speed, speedAccuracy, timestamp.timeIntervalSinceReferenceDate,
    ]
    // Bits, because a property list does not keep the sign and payload of a NaN.
    let bytes = numbers.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
    coder.encode(Data(bytes) as NSData, forKey: "numbers")
    coder.encode(sourceInformation, forKey: "sourceInformation")
  }

  /// Reads what ``encode(with:)`` wrote, or returns `nil` when it is something else.
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
