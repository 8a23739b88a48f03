import Foundation
import Testing

@testable import HealthStore

@Suite struct TypesConstantTests {
  @Test(arguments: [
    (HKMetadataKeySyncIdentifier, "HKMetadataKeySyncIdentifier"),
    (HKMetadataKeySyncVersion, "HKMetadataKeySyncVersion"),
    (HKMetadataKeyWasUserEntered, "HKWasUserEntered"), (HKMetadataKeyTimeZone, "HKTimeZone"),
    (HKMetadataKeyIndoorWorkout, "HKIndoorWorkout"), (HKMetadataKeyVO2MaxValue, "HKVO2MaxValue"),
    (HKMetadataKeyExternalUUID, "HKExternalUUID"),
    (HKMetadataKeyHeartRateMotionContext, "HKMetadataKeyHeartRateMotionContext"),
    (
      HKMetadataKeyCyclingFunctionalThresholdPowerTestType,
      "HKCyclingCyclingFunctionalThresholdPowerTestType"
    ),
  ])
  func `metadata keys have the raw values found in exports`(key: String, rawValue: String) {
    #expect(key == rawValue)
  }

  @Test func `the kind of a metadata key determines its values`() {
    #expect(metadataKind(ofKey: HKMetadataKeyTimeZone) == .string)
    #expect(metadataKind(ofKey: HKMetadataKeySyncVersion) == .number)
    #expect(metadataKind(ofKey: HKMetadataKeyWasUserEntered) == .bool)
    #expect(metadataKind(ofKey: HKMetadataKeyDateOfEarliestDataUsedForEstimate) == .date)
    #expect(metadataKind(ofKey: HKMetadataKeyElevationAscended) == .quantity(.meter()))
    #expect(metadataKind(ofKey: HKMetadataKeySessionEstimate) == .quantity(nil))
    #expect(metadataKind(ofKey: HKMetadataKeyWeatherCondition) == .enumeration)
    #expect(metadataKind(ofKey: "com.example.key") == nil)
  }

  @Test func `a kind admits only values of its class`() {
    let length = HKQuantity(unit: .foot(), doubleValue: 3)
    let values: [Any] = ["text", 5, true, 1.5, NSNumber(value: 2), Date(), length]
    func admitted(_ kind: MetadataKeyKind) -> [Bool] { values.map { kind.admits($0) } }
    #expect(admitted(.string) == [true, false, false, false, false, false, false])
    #expect(admitted(.number) == [false, true, true, true, true, false, false])
    #expect(admitted(.bool) == admitted(.number))
    #expect(admitted(.enumeration) == admitted(.number))
    #expect(admitted(.date) == [false, false, false, false, false, true, false])
    #expect(admitted(.quantity(.meter())) == [false, false, false, false, false, false, true])
    #expect(admitted(.quantity(nil)) == admitted(.quantity(.meter())))
    #expect(!MetadataKeyKind.quantity(.gram()).admits(length))
  }

  @Test func `all 84 activities have an export name that maps back to them`() {
    let activities = (0...3000).compactMap { HKWorkoutActivityType(rawValue: $0) }
    #expect(activities.count == 84)
    for activity in activities {
      #expect(HKWorkoutActivityType(exportName: activity.exportName) == activity)
      #expect(activity.exportName.lowercased() == "hkworkoutactivitytype\(activity)".lowercased())
    }
    #expect(HKWorkoutActivityType.running.exportName == "HKWorkoutActivityTypeRunning")
    #expect(HKWorkoutActivityType(exportName: "Running") == nil)
    #expect(HKWorkoutActivityType.other.rawValue == 3000)
    #expect(HKWorkoutActivityType(rawValue: 81) == nil)
  }

  @Test func `enumerations have Apple's raw values`() {
    #expect(HKBloodType.abNegative.rawValue == 6)
    #expect(HKBloodType.oNegative.rawValue == 8)
    #expect(HKFitzpatrickSkinType.VI.rawValue == 6)
    #expect(HKWorkoutEventType.pauseOrResumeRequest.rawValue == 8)
    #expect(HKUpdateFrequency.weekly.rawValue == 4)
    #expect(HKAuthorizationStatus.sharingAuthorized.rawValue == 2)
    #expect(HKAuthorizationRequestStatus.unnecessary.rawValue == 2)
    #expect(HKActivityMoveMode.appleMoveTime.rawValue == 2)
    #expect(HKWeatherCondition.tornado.rawValue == 27)
    #expect(HKBodyTemperatureSensorLocation.forehead.rawValue == 11)
    #expect(HKStatisticsOptions.duration.rawValue == UInt(64))
    #expect(HKStatisticsOptions.discreteMostRecent == .mostRecent)
    #expect(HKQueryOptions.strictEndDate.rawValue == UInt(2))
  }

  @Test func `characteristic objects survive an archive and compare by value`() throws {
    let sex = HKBiologicalSexObject(biologicalSex: .female)
    let data = try NSKeyedArchiver.archivedData(withRootObject: sex, requiringSecureCoding: true)
    let back = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: HKBiologicalSexObject.self, from: data)
    #expect(back == sex)
    #expect(back?.biologicalSex == .female)
    #expect(HKBloodTypeObject(bloodType: .aPositive) != HKBloodTypeObject(bloodType: .aNegative))
    #expect(HKWheelchairUseObject(wheelchairUse: .no) == HKWheelchairUseObject(wheelchairUse: .no))
  }

  @Test func `key paths and sort identifiers have the strings of Apple's binaries`() {
    #expect(HKPredicateKeyPathUUID == "UUID")
    #expect(HKPredicateKeyPathSum == "quantity")
    #expect(HKPredicateKeyPathMostRecentStartDate == "most_recent_start_date")
    #expect(HKPredicateKeyPathWorkoutActivityAverageQuantity == "activityAverageQuantity")
    #expect(HKDevicePropertyKeyUDIDeviceIdentifier == "HKDevicePropertyUDIDeviceIdentifier")
    #expect(HKSampleSortIdentifierStartDate == "HKSampleSortIdentifierStartDate")
    #expect(HKWorkoutSortIdentifierTotalSwimmingStrokeCount == "totalSwimmingStrokeCount")
    #expect(HKObjectQueryNoLimit == 0)
    #expect(HKAnchoredObjectQueryNoAnchor == 0)
  }
}
