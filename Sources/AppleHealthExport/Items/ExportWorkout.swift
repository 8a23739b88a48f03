public import Foundation

/// A number with the unit that the file gives it.
public struct ExportQuantity: Equatable, Sendable {
  /// The number.
  public var value: Double
  /// The unit as written, or nil.
  public var unit: String?

  /// A quantity from its parts.
  public init(value: Double, unit: String? = nil) {
    self.value = value
    self.unit = unit
  }
}

/// A workout with its parts.
public struct ExportWorkout: Equatable, Sendable {
  /// The name of the activity, such as `HKWorkoutActivityTypeRunning`.
  public var activityType: String
  /// How long it took without pauses.
  public var duration: ExportQuantity?
  /// Up to iOS 15; later the totals are in ``statistics``.
  public var totalDistance: ExportQuantity?
  /// Up to iOS 15; later the totals are in ``statistics``.
  public var totalEnergyBurned: ExportQuantity?
  /// Who wrote it.
  public var origin: ExportOrigin
  /// When it starts.
  public var startDate: Date
  /// When it ends.
  public var endDate: Date
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
  /// Pauses, laps, markers.
  public var events: [ExportWorkoutEvent] = []
  /// Totals and averages per type, since iOS 16.
  public var statistics: [ExportWorkoutStatistics] = []
  /// The activities of a workout with several.
  public var activities: [ExportWorkoutActivity] = []
  /// Where it went.
  public var routes: [ExportWorkoutRoute] = []
  /// Records that rate its effort, since iOS 18.
  public var efforts: [ExportRecord] = []

  /// A workout without parts.
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
  /// When it happened.
  public var date: Date
  /// How long it lasted.
  public var duration: ExportQuantity?
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
}

/// What one type of sample amounts to over a workout.
public struct ExportWorkoutStatistics: Equatable, Sendable {
  /// The type identifier.
  public var type: String
  /// When it starts.
  public var startDate: Date
  /// When it ends.
  ///
  /// iOS 16 wrote it as a second `startDate`.
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
  /// The identifier, the only one that exports contain.
  public var uuid: UUID?
  /// When it starts.
  public var startDate: Date
  /// When it ends.
  public var endDate: Date?
  /// How long it took without pauses.
  public var duration: ExportQuantity?
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
  /// Pauses, laps, segments; since iOS 26.
  public var events: [ExportWorkoutEvent] = []
  /// Totals and averages per type, since iOS 26.
  public var statistics: [ExportWorkoutStatistics] = []
  /// Records that rate its effort.
  public var efforts: [ExportRecord] = []
}

/// Where a workout went.
public struct ExportWorkoutRoute: Equatable, Sendable {
  /// Who wrote it.
  public var origin: ExportOrigin
  /// When it starts.
  public var startDate: Date
  /// When it ends.
  public var endDate: Date
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
  /// The GPX file in the export's folder, such as `/workout-routes/route_2019-10-04_1.pm.gpx`.
  public var file: String?
  /// The places themselves, in exports of 2019 and before.
  public var locations: [ExportLocation] = []
}

/// One place of a route in exports of 2019 and before.
public struct ExportLocation: Equatable, Sendable {
  /// When it was passed.
  public var date: Date
  /// Degrees north.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double
  /// Metres above sea level.
  public var altitude: Double?
  /// Metres.
  public var horizontalAccuracy: Double?
  /// Metres.
  public var verticalAccuracy: Double?
  /// Degrees clockwise from north.
  public var course: Double?
  /// Metres per second.
  public var speed: Double?
}
