import Foundation
import Testing

@testable import HealthStore

@Suite struct SamplesArchivingTests {
  private func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: object, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
  }

  @Test func `A quantity sample survives whole, with its own class`() throws {
    let sample = try HKQuantitySample.validated(
      type: Make.heartRate, quantity: HKQuantity(unit: Make.bpm, doubleValue: 61.25),
      start: Make.date(0.1), end: Make.date(7), device: Make.device(name: "Strap"),
      metadata: SamplesMetadataTests.everything, sourceRevision: Make.revision("org.example"))
    let read = try #require(try archived(sample))
    #expect(type(of: read) == HKDiscreteQuantitySample.self)
    #expect(read.uuid == sample.uuid)
    #expect(read.quantityType == Make.heartRate)
    #expect(read.quantity.doubleValue(for: Make.bpm) == 61.25)
    #expect(read.startDate == sample.startDate)
    #expect(read.endDate == sample.endDate)
    #expect(read.device == sample.device)
    #expect(read.sourceRevision == Make.revision("org.example"))
    let left = try MetadataCoding.encode(try #require(read.metadata))
    #expect(left == (try MetadataCoding.encode(SamplesMetadataTests.everything)))
  }

  @Test func `A sample that views a block is archived without the block`() throws {
    let views = try Make.views(
      Make.sleep, [ViewRow(), ViewRow(start: 3, end: 5, value: 4, metadata: ["k": 1])])
    let view = try #require(views[1] as? HKCategorySample)
    let read = try #require(try archived(view))
    #expect(read.built != nil)
    #expect(read.uuid == view.uuid)
    #expect(read.value == 4)
    #expect(read.startDate == Make.date(3))
    #expect(read.sourceRevision == Make.revision("block"))
    #expect(read.metadata?["k"] as? Int == 1)
  }

  @Test func `A correlation survives with its objects`() throws {
    let parts: Set<HKSample> = [Make.heartRate(50), Make.sleep(.awake)]
    let food = HKCorrelation(
      type: HKCorrelationType(.food), start: Make.date(0), end: Make.date(1), objects: parts)
    let read = try #require(try archived(food))
    #expect(read.objects == parts)
    #expect(read.objects(for: Make.sleep).count == 1)
  }

  @Test func `Sources, revisions, devices and deleted objects survive and are equal`() throws {
    let source = HKSource(name: "Ä", bundleIdentifier: "org.example")
    #expect(try archived(source) == source)
    let revision = Make.revision("org.example", version: nil)
    #expect(try archived(revision) == revision)
    let device = Make.device(name: "N", model: "M")
    #expect(try archived(device) == device)
    let deleted = HKDeletedObject(
      uuid: UUID(),
      metadata: [HKMetadataKeySyncIdentifier: "s", HKMetadataKeySyncVersion: 3, "other": 1])
    let read = try #require(try archived(deleted))
    #expect(read == deleted)
    #expect(read.metadata?.count == 2)
    #expect(read.metadata?[HKMetadataKeySyncVersion] as? Int == 3)
    #expect(try archived(HKDeletedObject(uuid: UUID(), metadata: ["x": 1]))?.metadata == nil)
  }

  @Test func `Garbage and truncated archives throw or decode to nil`() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: Make.heartRate(), requiringSecureCoding: true)
    for length in [0, 10, data.count / 2, data.count - 1] {
      let read = try? NSKeyedUnarchiver.unarchivedObject(
        ofClass: HKQuantitySample.self, from: data.prefix(length))
      #expect(read == nil, "\(length)")
    }
  }

  @Test func `An archive of a later version decodes to nil, one of this version to a sample`()
    throws
  {
    func read(version: Int, _ type: HKSampleType) throws -> HKCategorySample? {
      let archiver = NSKeyedArchiver(requiringSecureCoding: true)
      archiver.encode(version, forKey: "version")
      archiver.encode(UUID().uuidString as NSString, forKey: "uuid")
      archiver.encode(type.identifier as NSString, forKey: "type")
      archiver.encode(1.0, forKey: "start")
      archiver.encode(2.0, forKey: "end")
      archiver.encode(3, forKey: "category")
      archiver.finishEncoding()
      return HKCategorySample(coder: try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData))
    }
    #expect(try read(version: 1, Make.sleep)?.value == 3)
    #expect(try read(version: 2, Make.sleep) == nil)
    #expect(try read(version: 1, Make.heartRate) == nil)
  }
}

@Suite struct SamplesProvenanceTests {
  @Test func `Every property of a device counts for equality`() {
    let names = Array("abcdefgh").map(String.init)
    func device(_ values: [String?]) -> HKDevice {
      HKDevice(
        name: values[0], manufacturer: values[1], model: values[2], hardwareVersion: values[3],
        firmwareVersion: values[4], softwareVersion: values[5], localIdentifier: values[6],
        udiDeviceIdentifier: values[7])
    }
    #expect(device(names) == device(names))
    #expect(device(names).hash == device(names).hash)
    for index in names.indices {
      var other: [String?] = names
      other[index] = nil
      #expect(device(names) != device(other), "\(index)")
    }
  }

  @Test
  func `Name and identifier determine a source's equality, all properties a revision's`() {
    let source = HKSource(name: "a", bundleIdentifier: "b")
    #expect(source == HKSource(name: "a", bundleIdentifier: "b"))
    #expect(source != HKSource(name: "x", bundleIdentifier: "b"))
    #expect(source != HKSource(name: "a", bundleIdentifier: "x"))
    #expect(Make.revision("a") == Make.revision("a"))
    #expect(Make.revision("a") != Make.revision("b"))
    #expect(Make.revision("a") != Make.revision("a", version: "2"))
    #expect((source.copy() as? HKSource) === source)
  }

  @Test func `The default source and the local device have names and remain the same`() {
    #expect(!HKSource.default().name.isEmpty)
    #expect(!HKSource.default().bundleIdentifier.isEmpty)
    #expect(HKSource.default() === HKSource.default())
    #expect(HKDevice.local().name?.isEmpty == false)
    #expect(HKDevice.local().name?.contains("\0") == false)
  }

  @Test func `A view reads its own row and picks its class by type`() throws {
    let row = ViewRow(start: 2, end: 3, value: 60, device: Make.device(name: "D"))
    let view = try Make.views(Make.heartRate, [ViewRow(value: 1), row])[1]
    #expect(view is HKDiscreteQuantitySample)
    #expect((view as? HKQuantitySample)?.quantity.doubleValue(for: Make.bpm) == 60)
    #expect(view.startDate == Make.date(2))
    #expect(view.endDate == Make.date(3))
    #expect(view.device?.name == "D")
    #expect(view.sourceRevision.source.bundleIdentifier == "block")
    #expect(view.uuid == row.uuid)
    func sample(_ type: HKSampleType) throws -> HKSample? {
      try Make.views(type, [ViewRow(unit: .count())]).first
    }
    #expect(try sample(Make.steps) is HKCumulativeQuantitySample)
    #expect(try sample(Make.sleep) is HKCategorySample)
    #expect(try sample(HKCorrelationType(.food)) is HKCorrelation)
    #expect(try sample(HKObjectType.workoutType()) is HKWorkout)
  }
}
