import HealthKit
import Testing

@Suite struct VisionPrescriptionTests {
  private func dioptres(_ value: Double) -> HKQuantity {
    HKQuantity(unit: .diopter(), doubleValue: value)
  }

  private func prism(_ value: Double) -> HKQuantity {
    HKQuantity(unit: .prismDiopter(), doubleValue: value)
  }

  private func degrees(_ value: Double) -> HKQuantity {
    HKQuantity(unit: .degreeAngle(), doubleValue: value)
  }

  private func lens(prism: HKVisionPrism? = nil) -> HKGlassesLensSpecification {
    HKGlassesLensSpecification(
      sphere: dioptres(-2), cylinder: dioptres(0.75), axis: degrees(170), addPower: nil,
      vertexDistance: HKQuantity(unit: .meterUnit(with: .milli), doubleValue: 12), prism: prism,
      farPupillaryDistance: nil, nearPupillaryDistance: nil)
  }

  @Test func `a prescription has its date of issue and its expiration date`() async throws {
    let store = HKHealthStore.inMemory()
    let glasses = HKGlassesPrescription(
      rightEyeSpecification: lens(), leftEyeSpecification: nil, dateIssued: start,
      expirationDate: start + 86_400, device: nil, metadata: nil)
    let contacts = HKContactsPrescription(
      rightEyeSpecification: nil,
      leftEyeSpecification: HKContactsLensSpecification(
        sphere: dioptres(1), cylinder: nil, axis: nil, addPower: nil, baseCurve: nil,
        diameter: nil),
      brand: "Contour", dateIssued: start + 1, expirationDate: nil, device: nil, metadata: nil)
    try await store.save([glasses, contacts])
    let read = try await HKSampleQueryDescriptor(
      predicates: [.visionPrescription()], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
    let first = try #require(read.first as? HKGlassesPrescription)
    #expect(first.rightEye == lens() && first.leftEye == nil)
    #expect(first.dateIssued == start && first.expirationDate == start + 86_400)
    #expect(first.prescriptionType == .glasses)
    let second = try #require(read.last as? HKContactsPrescription)
    #expect(second.brand == "Contour" && second.leftEye?.sphere == dioptres(1))
    #expect(second.expirationDate == nil && second.prescriptionType == .contacts)
  }

  @Test func `a prescription without lenses is read back with the class of its type`() async throws
  {
    let store = HKHealthStore.inMemory()
    let plain = HKVisionPrescription(
      type: .contacts, dateIssued: start, expirationDate: nil, device: nil, metadata: nil)
    try await store.save(plain)
    let read = try await store.samples(.visionPrescriptionType())
    #expect(read == [plain])
    #expect((read.first as? HKContactsPrescription)?.rightEye == nil)
  }

  @Test func `a prescription that expires before its issue is refused`() {
    #expect(throws: HKInvalidSampleError.self) {
      try HKGlassesPrescription.validated(
        rightEyeSpecification: nil, leftEyeSpecification: nil, dateIssued: start,
        expirationDate: start - 1)
    }
  }

  @Test(arguments: [
    (0, HKVisionEye.right, HKPrismBase.none, HKPrismBase.in), (0, .left, .none, .out),
    (180, .right, .none, .out), (180, .left, .none, .in), (90, .right, .up, .none),
    (270, .left, .down, .none),
  ])
  func `a prism's angle gives the direction of its base`(
    angle: Double, eye: HKVisionEye, vertical: HKPrismBase, horizontal: HKPrismBase
  ) {
    let polar = HKVisionPrism(amount: prism(3), angle: degrees(angle), eye: eye)
    #expect(polar.verticalBase == vertical && polar.horizontalBase == horizontal)
    let parts = HKVisionPrism(
      verticalAmount: polar.verticalAmount, verticalBase: vertical,
      horizontalAmount: polar.horizontalAmount, horizontalBase: horizontal, eye: eye)
    #expect(abs(parts.angle.doubleValue(for: .degreeAngle()) - angle) < 1e-9)
    #expect(abs(parts.amount.doubleValue(for: .prismDiopter()) - 3) < 1e-12)
  }

  @Test func `a prism of two components has their combined length`() {
    let both = HKVisionPrism(
      verticalAmount: prism(3), verticalBase: .down, horizontalAmount: prism(4),
      horizontalBase: .in, eye: .left)
    #expect(both.amount == prism(5))
    #expect(abs(both.angle.doubleValue(for: .degreeAngle()) - 216.86989764584402) < 1e-9)
  }

  @Test func `lenses and prisms survive an archive`() throws {
    let base = HKVisionPrism(
      verticalAmount: prism(0.1), verticalBase: .up, horizontalAmount: prism(0.2),
      horizontalBase: .out, eye: .right)
    let lens = lens(prism: base)
    let data = try NSKeyedArchiver.archivedData(withRootObject: lens, requiringSecureCoding: true)
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: HKGlassesLensSpecification.self, from: data)
        == lens)
    let prismData = try NSKeyedArchiver.archivedData(
      withRootObject: base, requiringSecureCoding: true)
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: HKVisionPrism.self, from: prismData) == base)
  }

  @Test func `a lens with an incompatible unit traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKContactsLensSpecification(
        sphere: HKQuantity(unit: .meter(), doubleValue: 1), cylinder: nil, axis: nil,
        addPower: nil, baseCurve: nil, diameter: nil)
    }
  }
}
