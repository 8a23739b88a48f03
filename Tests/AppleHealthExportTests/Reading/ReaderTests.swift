import AppleHealthExport
import Foundation
import Testing

@Suite struct ReaderTests {
  @Test func `A record has its source, device, dates, metadata and beats`() throws {
    let (items, summary) = try read(
      export(
        """
        <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="My Watch"
         sourceVersion="6.2" unit="ms" creationDate="2021-01-01 01:21:35 +0200"
         device="&lt;&lt;HKDevice: 0x282e3a260&gt;, name:Watch, hardware:Watch5,4&gt;"
         startDate="2021-01-01 01:20:29 +0200" endDate="2021-01-01 01:21:35 +0200" value="161.887">
         <MetadataEntry key="Third party key" value="a &amp; b"/>
         <HeartRateVariabilityMetadataList>
          <InstantaneousBeatsPerMinute bpm="62" time="00:20:37,80"/>
          <InstantaneousBeatsPerMinute bpm="52.5" time="7:30:01.00 AM"/>
         </HeartRateVariabilityMetadataList>
        </Record>
        """))
    let start = try #require(ExportDateFormat.instant("2020-12-31 23:20:29 +0000"))
    #expect(
      items.records == [
        ExportRecord(
          type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", unit: "ms", value: "161.887",
          origin: ExportOrigin(
            sourceName: "My Watch", sourceVersion: "6.2",
            device: "name:Watch, hardware:Watch5,4", creationDate: start + 66),
          startDate: start, endDate: start + 66,
          metadata: [ExportEntry(key: "Third party key", value: "a & b")],
          beats: [
            ExportBeat(bpm: 62, time: "00:20:37,80"), ExportBeat(bpm: 52.5, time: "7:30:01.00 AM"),
          ])
      ])
    #expect(summary.problems.isEmpty)
    #expect(summary.unknownElements.isEmpty)
  }

  @Test func `Records inside a correlation are delivered only with it`() throws {
    let systolic = AppleHealthExportTests.record(
      "HKQuantityTypeIdentifierBloodPressureSystolic", value: "120")
    let (items, summary) = try read(
      export(
        """
        \(systolic)
        <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff"
         startDate="2024-02-01 08:00:00 +0100" endDate="2024-02-01 08:00:00 +0100">
         <MetadataEntry key="HKWasUserEntered" value="1"/>
         \(systolic)
        </Correlation>
        """))
    #expect(items.records.count == 1)
    #expect(items.correlations.first?.records == items.records)
    #expect(items.correlations.first?.metadata.first?.key == "HKWasUserEntered")
    #expect(summary.records == 1)
    #expect(summary.correlatedRecords == 1)
  }

  @Test func `Records of an unreadable correlation are the copies of those at top level`()
    throws
  {
    let (items, summary) = try read(
      export(
        "<Correlation type=\"a\" sourceName=\"b\">" + AppleHealthExportTests.record()
          + "</Correlation>"))
    #expect(items.records.map(\.isPart) == [true])
    #expect(items.correlations.isEmpty)
    #expect(summary.problems == [.missingAttribute: 1])
    #expect(summary.correlatedRecords == 1)
  }

  @Test func `A workout has its events, statistics, activities and routes`() throws {
    let dates = #"startDate="2024-01-01 10:00:00 +0000" endDate="2024-01-01 11:00:00 +0000""#
    let (items, summary) = try read(
      export(
        """
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" \(dates)
         totalDistance="10.2" totalDistanceUnit="km">
         <MetadataEntry key="HKIndoorWorkout" value="0"/>
         <WorkoutEvent type="HKWorkoutEventTypeLap" date="2024-01-01 10:10:00 +0000" duration="6"
          durationUnit="min"><MetadataEntry key="lap" value="1"/></WorkoutEvent>
         <WorkoutActivity uuid="6F9619FF-8B86-D011-B42D-00C04FC964FF" \(dates)>
          <MetadataEntry key="activity" value="2"/></WorkoutActivity>
         <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" \(dates) average="150"
          minimum="90" maximum="181.5" unit="count/min"/>
         <WorkoutRoute sourceName="Watch" \(dates)>
          <MetadataEntry key="HKMetadataKeySyncVersion" value="2"/>
          <FileReference path="/workout-routes/route_2024-01-01_11.00am.gpx"/>
          <Location date="2024-01-01 10:00:01 +0000" latitude="48.1" longitude="-1.5" speed="3"/>
         </WorkoutRoute>
        </Workout>
        """))
    let workout = try #require(items.workouts.first)
    #expect(workout.totalDistance == ExportQuantity(value: 10.2, unit: "km"))
    #expect(workout.metadata == [ExportEntry(key: "HKIndoorWorkout", value: "0")])
    #expect(workout.events.first?.metadata == [ExportEntry(key: "lap", value: "1")])
    #expect(workout.events.first?.duration == ExportQuantity(value: 6, unit: "min"))
    #expect(workout.activities.first?.uuid?.uuidString.hasPrefix("6F9619FF") == true)
    #expect(workout.activities.first?.metadata.count == 1)
    #expect(workout.statistics.first?.maximum == 181.5)
    #expect(workout.routes.first?.file == "/workout-routes/route_2024-01-01_11.00am.gpx")
    #expect(workout.routes.first?.locations.first?.longitude == -1.5)
    #expect(workout.routes.first?.metadata.count == 1)
    #expect(summary.problems.isEmpty)
  }

  @Test func `The other children of the root are delivered`() throws {
    let (items, summary) = try read(
      export(
        """
        <Me HKCharacteristicTypeIdentifierBloodType="HKBloodTypeAPositive"/>
        <ActivitySummary dateComponents="2024-02-29" activeEnergyBurned="410.5"
         activeEnergyBurnedUnit="kcal" appleMoveMinutes="3" appleStandHours="11"/>
        <ClinicalRecord type="AllergyRecord" identifier="1"/>
        <Audiogram sourceName="Ear" startDate="2024-01-01 10:00:00 +0000"
         endDate="2024-01-01 10:00:00 +0000">
         <SensitivityPoint frequencyValue="1000" frequencyUnit="Hz" leftEarValue="10"/></Audiogram>
        <VisionPrescription type="HKVisionPrescriptionTypeGlasses" dateIssued="2024-01-01">
         <RightEye sphere="-1.5"/><LeftEye sphere="-2"/><Attachment identifier="7"/>
        </VisionPrescription>
        <MedicationDose name="x"/>
        """))
    #expect(items.count == 7)
    #expect(
      items[1]
        == .exportDate(try #require(ExportDateFormat.instant("2024-03-01T09:00:00Z"))))
    guard case .characteristics(let characteristics) = items[2],
      case .activitySummary(let summaryOfDay) = items[3], case .clinicalRecord = items[4],
      case .audiogram(let audiogram) = items[5], case .visionPrescription(let vision) = items[6]
    else {
      Issue.record("\(items)")
      return
    }
    #expect(characteristics.map(\.value) == ["HKBloodTypeAPositive"])
    #expect(summaryOfDay.day == DateComponents(year: 2024, month: 2, day: 29))
    #expect(summaryOfDay.activeEnergyBurned == 410.5)
    #expect(summaryOfDay.appleMoveTime == 3)
    #expect(audiogram.points.first?.count == 3)
    #expect(vision.leftEye == [ExportEntry(key: "sphere", value: "-2")])
    #expect(vision.attachments == ["7"])
    #expect(summary.unknownElements == ["MedicationDose": 1])
  }

  @Test func `An unreadable element is counted with its position`() throws {
    let text = export(
      AppleHealthExportTests.record(start: "2024-02-30 08:00:00 +0100") + "<Record type=\"a\"/>"
        + "<WorkoutEvent type=\"a\" date=\"2024-02-01 08:00:00 +0100\"/>"
        + "<MetadataEntry key=\"a\" value=\"b\"/>")
    let (items, summary) = try read(text)
    #expect(items.records.isEmpty)
    #expect(summary.problems == [.invalidDate: 1, .missingAttribute: 1, .misplaced: 2])
    let place = try #require(text.range(of: "<Record"))
    #expect(
      summary.firstProblems.first
        == ExportProblem(
          reason: .invalidDate, element: "Record",
          offset: Int64(text.utf8.distance(from: text.startIndex, to: place.lowerBound))))
  }

  @Test func `Unclosed records are all delivered`() throws {
    let open = AppleHealthExportTests.record(value: "1").replacing("/>", with: ">")
    let (items, summary) = try read(
      export(open + open + AppleHealthExportTests.record(value: "2")))
    #expect(items.records.compactMap(\.value).sorted() == ["1", "1", "2"])
    #expect(summary.mismatchedTags == 2)
  }

  @Test func `Progress is reported at most once per interval and at the end`() throws {
    let text = export((0..<25).map { AppleHealthExportTests.record(value: "\($0)") }.joined())
    var reports: [ExportProgress] = []
    let reader = ExportReader(MemoryInput(text), reportingEvery: 10) { reports.append($0) }
    while try reader.next() != nil {}
    #expect(reports.map(\.records) == [10, 20, 25])
    #expect(reports.last?.bytes == Int64(text.utf8.count))
    #expect(reports.allSatisfy { $0.totalBytes == Int64(text.utf8.count) })
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.bytes < $1.bytes })
  }
}
