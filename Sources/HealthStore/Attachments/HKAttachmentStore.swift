public import Foundation
import SampleLog
public import UniformTypeIdentifiers

/// Adds files to saved objects, and reads and removes them.
///
/// The content is in the store, with a mebibyte of it in memory at a time, so that backups,
/// erasure and readers of other processes have it. Objects of every type of sample may have
/// attachments. They go with their object, in the same commit; a version that replaces it by sync
/// identifier has none at first.
///
/// ```swift
/// let attachments = HKAttachmentStore(healthStore: store)
/// let attachment = try await attachments.addAttachment(
///   to: sample, name: "scan.pdf", contentType: .pdf, url: file)
/// let content = try await attachments.dataReader(for: attachment).data
/// ```
open class HKAttachmentStore: NSObject, @unchecked Sendable {
  /// The most bytes that an attachment may have: a gibibyte.
  ///
  /// Ours; HealthKit publishes no limit.
  public static let maximumByteCount = AttachmentPayload.maximumSize

  private let healthStore: HKHealthStore

  /// Makes a way to the attachments of a store's objects.
  public init(healthStore: HKHealthStore) {
    self.healthStore = healthStore
    super.init()
  }

  /// Adds a copy of a file to an object and reports the attachment.
  ///
  /// Nobody sees any of it before all of it is durable. Reports `errorInvalidArgument` for an
  /// object that is not in the store, a file that cannot be read or has more than
  /// ``maximumByteCount`` bytes, and metadata that an object could not have either. What an
  /// addition leaves behind that was cut off by the end of the process is removed by the next
  /// addition to or removal from an object of the same type, or with its object.
  @preconcurrency
  open func addAttachment(
    to object: HKObject, name: String, contentType: UTType, url: URL,
    metadata: [String: Any] = [:],
    completion: @escaping @Sendable (HKAttachment?, (any Error)?) -> Void
  ) {
    let new = NewAttachment(name: name, contentType: contentType, url: url, metadata: metadata)
    add(new, to: object, isCancelled: { false }, completion: completion)
  }

  /// Adds a copy of a file to an object.
  ///
  /// - Returns: The attachment.
  /// - Throws: What the form with a handler reports, and `CancellationError` when the task is
  ///   cancelled before all was read; nothing is added then.
  open func addAttachment(
    to object: HKObject, name: String, contentType: UTType, url: URL, metadata: [String: Any] = [:]
  ) async throws -> HKAttachment {
    try Task.checkCancellation()
    let new = NewAttachment(name: name, contentType: contentType, url: url, metadata: metadata)
    let isCancelled = Locked(false)
    return try await withTaskCancellationHandler {
      try await withFencedContinuation { continuation in
        add(new, to: object, isCancelled: { isCancelled.withLock { $0 } }) { attachment, error in
          if let attachment {
            continuation.resume(returning: attachment)
          } else {
            continuation.resume(throwing: error ?? HKError(.unknownError))
          }
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }

  private func add(
    _ new: NewAttachment, to object: HKObject, isCancelled: @escaping @Sendable () -> Bool,
    completion: @escaping @Sendable (HKAttachment?, (any Error)?) -> Void
  ) {
    healthStore.write({ store, subject, policy in
      try store.addAttachment(
        new, to: object, subject: subject, policy: policy, isCancelled: isCancelled)
    }) { Self.report($0, completion) }
  }

  /// Removes an attachment and reports how that went.
  ///
  /// Reports `errorInvalidArgument` when the object does not have it.
  @preconcurrency
  open func removeAttachment(
    _ attachment: HKAttachment, from object: HKObject,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    healthStore.perform(completion) { store, subject, policy in
      try store.removeAttachment(attachment, from: object, subject: subject, policy: policy)
    }
  }

  /// Removes an attachment, or throws what the form with a handler reports.
  open func removeAttachment(
    _ attachment: HKAttachment, from object: HKObject
  ) async throws {
    try await healthStore.attempt {
      self.removeAttachment(attachment, from: object, completion: $0)
    }
  }

  /// Reports the attachments of an object, in the order in which they were added.
  ///
  /// Reports `errorInvalidArgument` when the object is not in the store.
  @preconcurrency
  open func getAttachments(
    for object: HKObject, completion: @escaping @Sendable ([HKAttachment]?, (any Error)?) -> Void
  ) {
    read({ try $0.attachments(for: object) }) { Self.report($0, completion) }
  }

  /// Returns the attachments of an object, or throws what the form with a handler reports.
  open func attachments(for object: HKObject) async throws -> [HKAttachment] {
    try await healthStore.reading { try $0.attachments(for: object) }
  }

  /// Returns a reader of an attachment's content.
  open func dataReader(for attachment: HKAttachment) -> HKAttachmentDataReader {
    HKAttachmentDataReader(attachment, healthStore)
  }

  /// Reports the whole content of an attachment.
  ///
  /// Reports `errorInvalidArgument` when the store does not have it.
  ///
  /// - Returns: How many bytes have been read; cancelling it ends reading with `errorUserCanceled`.
  @preconcurrency
  @discardableResult
  open func getData(
    for attachment: HKAttachment, completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress {
    let all = Locked(Data())
    return streamData(for: attachment) { data, error, isDone in
      all.withLock { $0.append(data ?? Data()) }
      if let error {
        completion(nil, error)
      } else if isDone {
        completion(all.withLock { $0 }, nil)
      }
    }
  }

  /// Reports the content of an attachment piece by piece, one call after the other.
  ///
  /// The handler gets a mebibyte at most, and whether it is the last. After an error, which comes
  /// without content, it is not called any more.
  ///
  /// - Returns: How many bytes have been read; cancelling it ends reading with `errorUserCanceled`.
  @preconcurrency
  @discardableResult
  open func streamData(
    for attachment: HKAttachment,
    dataHandler: @escaping @Sendable (Data?, (any Error)?, Bool) -> Void
  ) -> Progress {
    let progress = Progress(totalUnitCount: Int64(attachment.size))
    let shared = SharedProgress(progress)
    read({ reader in
      var content = try AttachmentReader(attachment, reader)
      var next = try content.next()
      if next == nil { WorkerPool.lend { dataHandler(Data(), nil, true) } }
      while let piece = next {
        try shared.check()
        next = try content.next()
        shared.add(piece.count)
        let isLast = next == nil
        WorkerPool.lend { dataHandler(Data(piece), nil, isLast) }
      }
    }) { (result: Result<Void, any Error>) in
      if case .failure(let error) = result { dataHandler(nil, error, true) }
    }
    return progress
  }

  /// Reads on a background thread, as the policy of this moment lets it.
  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (StoreReader) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let (policy, calendar) = (healthStore.authorization, healthStore.calendar)
    healthStore.work(
      { store, subject in
        try body(StoreReader(store, subject: subject, policy: policy, calendar: calendar))
      }, completion: completion)
  }

  private static func report<Value>(
    _ result: Result<Value, any Error>, _ completion: (Value?, (any Error)?) -> Void
  ) {
    switch result {
    case .success(let value): completion(value, nil)
    case .failure(let error): completion(nil, error)
    }
  }
}
