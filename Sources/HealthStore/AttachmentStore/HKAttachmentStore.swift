public import Foundation
import SampleLog
public import UniformTypeIdentifiers

/// Adds files to saved objects, and reads and removes them.
///
/// The content is stored in rows of the store, so backups and erasures include it and other
/// processes can read it. At most one mebibyte is in memory at a time. Objects of every sample type
/// may have attachments. Deleting an object deletes its attachments in the same commit. If another
/// version replaces an object by sync identifier, the new version has no attachments.
///
/// ```swift
/// let attachments = HKAttachmentStore(healthStore: store)
/// let attachment = try await attachments.addAttachment(
///   to: sample, name: "scan.pdf", contentType: .pdf, url: file)
/// let content = try await attachments.dataReader(for: attachment).data
/// ```
open class HKAttachmentStore: NSObject, @unchecked Sendable {
  /// The maximum size of an attachment: one gibibyte.
  ///
  /// Our limit; HealthKit documents none.
  public static let maximumByteCount = AttachmentPayload.maximumSize

  private let healthStore: HKHealthStore

  /// Creates an object that manages the attachments in a store.
  public init(healthStore: HKHealthStore) {
    self.healthStore = healthStore
    super.init()
  }

  /// Adds a copy of a file to an object and reports the attachment.
  ///
  /// The attachment becomes visible only when it is complete and durable. Reports
  /// `errorInvalidArgument` for an object that is not in the store, a file that cannot be read or
  /// exceeds ``maximumByteCount`` bytes, and metadata that would not be valid for an object. If
  /// the process ends during an addition, the orphaned content is deleted with the object, or by
  /// the next removal from, or failed addition to, an object of the same type.
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
  /// - Throws: The errors that the completion-handler version reports, and `CancellationError` if
  ///   the task is cancelled before the file has been read; in that case, nothing is added.
  open func addAttachment(
    to object: HKObject, name: String, contentType: UTType, url: URL, metadata: [String: Any] = [:]
  ) async throws -> HKAttachment {
    try Task.checkCancellation()
    let new = NewAttachment(name: name, contentType: contentType, url: url, metadata: metadata)
    let isCancelled = Locked(false)
    return try await withTaskCancellationHandler {
      try await withFencedContinuation { continuation in
        add(new, to: object, isCancelled: { isCancelled.withLock { $0 } }) {
          continuation.resume($0, $1)
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
    healthStore.write({ completion($0.success, $0.failure) }) { store, subject, policy in
      try store.addAttachment(
        new, to: object, subject: subject, policy: policy, isCancelled: isCancelled)
    }
  }

  /// Removes an attachment and reports the result.
  ///
  /// Reports `errorInvalidArgument` if the object does not have the attachment.
  @preconcurrency
  open func removeAttachment(
    _ attachment: HKAttachment, from object: HKObject,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    healthStore.write(reporting(to: completion)) { store, subject, policy in
      try store.removeAttachment(attachment, from: object, subject: subject, policy: policy)
    }
  }

  /// Removes an attachment, or throws the error that the completion-handler version reports.
  open func removeAttachment(
    _ attachment: HKAttachment, from object: HKObject
  ) async throws {
    try await healthStore.attempt {
      self.removeAttachment(attachment, from: object, completion: $0)
    }
  }

  /// Reports the attachments of an object, in the order in which they were added.
  ///
  /// Reports `errorInvalidArgument` if the object is not in the store.
  @preconcurrency
  open func getAttachments(
    for object: HKObject, completion: @escaping @Sendable ([HKAttachment]?, (any Error)?) -> Void
  ) {
    read({ try $0.attachments(for: object) }) { completion($0.success, $0.failure) }
  }

  /// Returns the attachments of an object, or throws the error that the completion-handler version
  /// reports.
  open func attachments(for object: HKObject) async throws -> [HKAttachment] {
    try await healthStore.reading { try $0.attachments(for: object) }
  }

  /// Returns a reader of an attachment's content.
  open func dataReader(for attachment: HKAttachment) -> HKAttachmentDataReader {
    HKAttachmentDataReader(attachment, healthStore)
  }

  /// Reports the whole content of an attachment.
  ///
  /// Reports `errorInvalidArgument` if the store does not have the attachment.
  ///
  /// - Returns: The progress, in bytes. Cancelling it stops reading with `errorUserCanceled`.
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

  /// Reports the content of an attachment in chunks.
  ///
  /// Calls of the handler do not overlap.
  ///
  /// The handler receives at most one mebibyte per call, and whether it is the last chunk. An error
  /// is reported without content and ends the stream.
  ///
  /// - Returns: The progress, in bytes. Cancelling it stops reading with `errorUserCanceled`.
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
      if next == nil { WorkerPool.blocking { dataHandler(Data(), nil, true) } }
      while let piece = next {
        try shared.check()
        next = try content.next()
        shared.add(piece.count)
        let isLast = next == nil
        WorkerPool.blocking { dataHandler(Data(piece), nil, isLast) }
      }
    }) { (result: Result<Void, any Error>) in
      if case .failure(let error) = result { dataHandler(nil, error, true) }
    }
    return progress
  }

  /// Reads on a background thread, under the authorization policy in effect now.
  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (StoreReader) throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let open = healthStore.opening
    healthStore.run({ try body(try open()) }, completion: completion)
  }
}
