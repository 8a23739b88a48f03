import CoreLocation
import Foundation
import Testing

@Suite struct CLLocationTests {
  private static func location(_ latitude: Double, _ longitude: Double) -> CLLocation {
    CLLocation(latitude: latitude, longitude: longitude)
  }

  @Test
  func `A location made of two numbers has the current time and no altitude, course or speed`() {
    let before = Date()
    let location = CLLocation(latitude: 48.6, longitude: 6.1)
    #expect(location.coordinate.latitude == 48.6)
    #expect(location.coordinate.longitude == 6.1)
    #expect(location.altitude == 0)
    #expect(location.horizontalAccuracy == 0)
    #expect(location.verticalAccuracy == -1)
    #expect(location.course == -1)
    #expect(location.courseAccuracy == -1)
    #expect(location.speed == -1)
    #expect(location.speedAccuracy == -1)
    #expect(location.floor == nil)
    #expect(location.sourceInformation == nil)
    #expect((before...Date()).contains(location.timestamp))
  }

  @Test func `Each initialiser keeps its arguments`() {
    let coordinate = CLLocationCoordinate2D(latitude: 1, longitude: 2)
    let time = Date(timeIntervalSinceReferenceDate: 9)
    let plain = CLLocation(
      coordinate: coordinate, altitude: 3, horizontalAccuracy: 4, verticalAccuracy: 5,
      timestamp: time)
    #expect([plain.altitude, plain.horizontalAccuracy, plain.verticalAccuracy] == [3, 4, 5])
    #expect([plain.course, plain.speed] == [-1, -1])
    let moving = CLLocation(
      coordinate: coordinate, altitude: 3, horizontalAccuracy: 4, verticalAccuracy: 5, course: 6,
      speed: 7, timestamp: time)
    #expect([moving.course, moving.speed, moving.courseAccuracy] == [6, 7, -1])
    let exact = CLLocation(
      coordinate: coordinate, altitude: 3, horizontalAccuracy: 4, verticalAccuracy: 5, course: 6,
      courseAccuracy: 0.5, speed: 7, speedAccuracy: 0.25, timestamp: time,
      sourceInfo: CLLocationSourceInformation(
        softwareSimulationState: true, andExternalAccessoryState: false))
    #expect([exact.course, exact.courseAccuracy, exact.speed] == [6, 0.5, 7])
    #expect(exact.speedAccuracy == 0.25)
    #expect(exact.timestamp == time)
    #expect(exact.sourceInformation?.isSimulatedBySoftware == true)
    #expect(exact.sourceInformation?.isProducedByAccessory == false)
  }

  @Test func `Two locations are equal only if they are identical, and a copy is the same object`() {
    let time = Date()
    let one = CLLocation(
      coordinate: CLLocationCoordinate2D(), altitude: 0, horizontalAccuracy: 0,
      verticalAccuracy: 0, timestamp: time)
    let other = CLLocation(
      coordinate: CLLocationCoordinate2D(), altitude: 0, horizontalAccuracy: 0,
      verticalAccuracy: 0, timestamp: time)
    #expect(one != other)
    #expect(one.copy() as? CLLocation === one)
  }

  @Test func `An archived location is restored bit for bit`() throws {
    let strange = Double(nan: 5, signaling: false)
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 48.653639, longitude: -0.0),
      altitude: .infinity, horizontalAccuracy: strange, verticalAccuracy: 0.1, course: 359.999999,
      courseAccuracy: -1, speed: 0x1p-1074, speedAccuracy: .nan,
      timestamp: Date(timeIntervalSinceReferenceDate: 591_877_000.123),
      sourceInfo: CLLocationSourceInformation(
        softwareSimulationState: false, andExternalAccessoryState: true))
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: location, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
    func numbers(_ location: CLLocation) -> [UInt64] {
      [
        location.coordinate.latitude, location.coordinate.longitude, location.altitude,
        location.horizontalAccuracy, location.verticalAccuracy, location.course,
        location.courseAccuracy, location.speed, location.speedAccuracy,
        location.timestamp.timeIntervalSinceReferenceDate,
      ].map(\.bitPattern)
    }
    #expect(numbers(read) == numbers(location))
    #expect(read.sourceInformation?.isProducedByAccessory == true)
    #expect(read.sourceInformation?.isSimulatedBySoftware == false)
  }

  @Test func `Coordinates are valid within their ranges`() {
    func isValid(_ latitude: Double, _ longitude: Double) -> Bool {
      CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude))
    }
    #expect(isValid(90, -180))
    #expect(isValid(-90, 180))
    #expect(!isValid(90.0001, 0))
    #expect(!isValid(0, -180.0001))
    #expect(!isValid(.nan, 0))
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }

  @Test func `Distances follow the ellipsoid`() {
    // Vincenty's test line between Flinders Peak and Buninyong, and quarters of two great circles.
    let flinders = Self.location(-(37 + 57 / 60 + 3.7203 / 3600), 144 + 25 / 60 + 29.5244 / 3600)
    let buninyong = Self.location(-(37 + 39 / 60 + 10.1561 / 3600), 143 + 55 / 60 + 35.3839 / 3600)
    #expect(abs(flinders.distance(from: buninyong) - 54_972.271) < 0.001)
    #expect(abs(buninyong.distance(from: flinders) - 54_972.271) < 0.001)
    let origin = Self.location(0, 0)
    #expect(abs(origin.distance(from: Self.location(0, 90)) - 10_018_754.171) < 0.001)
    #expect(abs(origin.distance(from: Self.location(90, 0)) - 10_001_965.729) < 0.001)
    #expect(origin.distance(from: origin) == 0)
    let beyond = Self.location(0, 179.999).distance(from: Self.location(0, -179.999))
    #expect(abs(beyond - 222.639) < 0.001)
  }

  @Test func `The distance between opposite points is near half a meridian`() {
    let distance = Self.location(0, 0).distance(from: Self.location(0.5, 179.7))
    #expect(abs(distance - 19_950_000) < 50_000)
  }
}
