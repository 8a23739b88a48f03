public import Foundation

/// A number with its unit in the file.
public struct ExportQuantity: Equatable, Sendable {
  /// The number.
  public var value: Double
  /// The unit as written, or nil if there is none.
  public var unit: String?

  /// Creates a quantity.
  public init(value: Double, unit: String? = nil) {
    self.value = value
    self.unit = unit
  }
}

/// A workout with its parts.
public struct ExportWorkout: Equatable, Sendable {
  /// The name of the activity, such as `HKWorkoutActivityTypeRunning`.
  public var activityType: String
  /// The duration without pauses.
  public var duration: ExportQuantity?
  /// The total distance, up to iOS 15; later exports have ``statistics`` instead.
  public var totalDistance: ExportQuantity?
  /// The total energy burned, up to iOS 15; later exports have ``statistics`` instead.
  public var totalEnergyBurned: ExportQuantity?
  /// The source and device.
  public var origin: ExportOrigin
  /// The start date.
  public var startDate: Date
  /// The end date.
  public var endDate: Date
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
  /// The pauses, laps and markers.
  public var events: [ExportWorkoutEvent] = []
  /// The totals and averages per type, since iOS 16.
  public var statistics: [ExportWorkoutStatistics] = []
  /// The activities of a workout with several.
  public var activities: [ExportWorkoutActivity] = []
  /// The routes.
  public var routes: [ExportWorkoutRoute] = []
  /// The effort scores, since iOS 18.
  public var efforts: [ExportRecord] = []

  /// Creates a workout without parts.
  public init(activityType: String, origin: ExportOrigin, startDate: Date, endDate: Date) {
    self.activityType = activityType
    self.origin = origin
    self.startDate = startDate
    self.endDate = endDate
  }
}

/// A pause, lap or marker in a workout.
public struct ExportWorkoutEvent: Equatable, Sendable {
  /// The name of the kind, such as `HKWorkoutEventTypePause`.
  public var type: String
  /// The start of the event.
  public var date: Date
  /// The duration of the event.
  public var duration: ExportQuantity?
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
}

/// The statistics of one sample type over a workout.
public struct ExportWorkoutStatistics: Equatable, Sendable {
  /// The type identifier.
  public var type: String
  /// The start date.
  public var startDate: Date
  /// The end date, which iOS 16 wrote as a second `startDate`.
  public var endDate: Date
  /// The unit of the numbers.
  public var unit: String?
  /// The average of a discrete type.
  public var average: Double?
  /// The minimum of a discrete type.
  public var minimum: Double?
  /// The maximum of a discrete type.
  public var maximum: Double?
  /// The sum of a cumulative type.
  public var sum: Double?
}

/// One activity of a workout with several.
public struct ExportWorkoutActivity: Equatable, Sendable {
  /// The identifier; activities are the only objects with one in Apple's exports.
  public var uuid: UUID?
  /// The start date.
  public var startDate: Date
  /// The end date.
  public var endDate: Date?
  /// The duration without pauses.
  public var duration: ExportQuantity?
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
  /// The pauses, laps and segments, since iOS 26.
  public var events: [ExportWorkoutEvent] = []
  /// The totals and averages per type, since iOS 26.
  public var statistics: [ExportWorkoutStatistics] = []
  /// The effort scores.
  public var efforts: [ExportRecord] = []
}

/// A route of a workout.
public struct ExportWorkoutRoute: Equatable, Sendable {
  /// The source and device.
  public var origin: ExportOrigin
  /// The start date.
  public var startDate: Date
  /// The end date.
  public var endDate: Date
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
  /// The GPX file in the export's folder, such as `/workout-routes/route_2019-10-04_1.pm.gpx`.
  public var file: String?
  /// The locations, in exports of 2019 and earlier.
  public var locations: [ExportLocation] = []
}

/// A location of a route, in exports of 2019 and earlier.
public struct ExportLocation: Equatable, Sendable {
  /// The time at the location.
  public var date: Date
  /// The latitude in degrees north.
  public var latitude: Double
  /// The longitude in degrees east.
  public var longitude: Double
  /// The altitude in metres above sea level.
  public var altitude: Double?
  /// The horizontal accuracy in metres.
  public var horizontalAccuracy: Double?
  /// The vertical accuracy in metres.
  public var verticalAccuracy: Double?
  /// The course in degrees clockwise from north.
  public var course: Double?
  /// The speed in metres per second.
  public var speed: Double?
}
