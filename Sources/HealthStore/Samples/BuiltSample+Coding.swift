import Foundation

// Keyed archiving of samples.
extension BuiltSample {
  /// The version of the archive format.
  ///
  /// Later versions are rejected.
  private static let archiveVersion = 1

  private enum Key {
    static let version = "version"
    static let uuid = "uuid"
    static let type = "type"
    static let start = "start"
    static let end = "end"
    static let value = "value"
    static let unit = "unit"
    static let category = "category"
    static let sourceRevision = "sourceRevision"
    static let device = "device"
    static let metadata = "metadata"
    static let objects = "objects"
    static let payload = "payload"
  }

  /// Encodes each field under its own key.
  func encode(with coder: NSCoder) {
    coder.encode(Self.archiveVersion, forKey: Key.version)
    coder.encode(uuid.uuidString as NSString, forKey: Key.uuid)
    coder.encode(sampleType.identifier as NSString, forKey: Key.type)
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: Key.start)
    coder.encode(endDate.timeIntervalSinceReferenceDate, forKey: Key.end)
    if let quantity {
      coder.encode(quantity.value, forKey: Key.value)
      coder.encode(quantity.unit.unitString as NSString, forKey: Key.unit)
    }
    if kind == .category { coder.encode(categoryValue, forKey: Key.category) }
    coder.encode(sourceRevision ?? .current, forKey: Key.sourceRevision)
    if let device { coder.encode(device, forKey: Key.device) }
    if let metadata {
      do {
        coder.encode(Data(try MetadataCoding.encode(metadata)) as NSData, forKey: Key.metadata)
      } catch {
        coder.failWithError(error)
      }
    }
    if let payload { coder.encode(Data(payload.encoded) as NSData, forKey: Key.payload) }
    if !objects.isEmpty {
      let sorted = objects.sorted { $0.uuid.uuidString < $1.uuid.uuidString }
      coder.encode(sorted as NSArray, forKey: Key.objects)
    }
  }

  /// Decodes the fields, or returns nil if one is missing or invalid.
  ///
  /// The payload must be of the given type.
  convenience init?(coder: NSCoder, payload payloadType: (any SamplePayload.Type)?) {
    let version = coder.decodeInteger(forKey: Key.version)
    guard
      (1...Self.archiveVersion).contains(version),
      let uuid = coder.decodeString(Key.uuid).flatMap(UUID.init(uuidString:)),
      let identifier = coder.decodeString(Key.type),
      let type = HKObjectType.make(identifier: identifier) as? HKSampleType
    else { return nil }
    let start = coder.decodeDouble(forKey: Key.start)
    let end = coder.decodeDouble(forKey: Key.end)
    guard start.isFinite, end.isFinite, start <= end else { return nil }

    var quantity: HKQuantity?
    if let text = coder.decodeString(Key.unit) {
      let value = coder.decodeDouble(forKey: Key.value)
      guard
        let unit = HKUnit.named(text), value.isFinite,
        (type as? HKQuantityType)?.is(compatibleWith: unit) == true
      else { return nil }
      quantity = HKQuantity(unit: unit, doubleValue: value)
    }
    var metadata: [String: Any]?
    if let data = coder.decodeObject(NSData.self, Key.metadata) {
      do {
        metadata = try MetadataCoding.decode([UInt8](Data(referencing: data)))
      } catch {
        return nil
      }
    }
    var objects: [HKSample] = []
    if coder.containsValue(forKey: Key.objects) {
      let decoded = coder.decodeObject(of: [NSArray.self, HKSample.self], forKey: Key.objects)
      guard let samples = decoded as? [HKSample] else { return nil }
      objects = samples
    }
    var payload: (any SamplePayload)?
    if let data = coder.decodeObject(NSData.self, Key.payload) {
      let bytes = [UInt8](Data(referencing: data))
      payload = payloadType.flatMap { type in
        bytes.withUnsafeBytes { type.init($0) }
      }
      if payload == nil { return nil }
    }
    let hasCategory = coder.containsValue(forKey: Key.category)
    self.init(
      uuid: uuid, sampleType: type,
      startDate: Date(timeIntervalSinceReferenceDate: start),
      endDate: Date(timeIntervalSinceReferenceDate: end), quantity: quantity,
      categoryValue: hasCategory ? coder.decodeInteger(forKey: Key.category) : 0,
      sourceRevision: coder.decodeObject(HKSourceRevision.self, Key.sourceRevision),
      device: coder.decodeObject(HKDevice.self, Key.device), metadata: metadata,
      objects: Set(objects), payload: payload)
  }
}
