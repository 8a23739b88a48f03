public import Foundation
public import SampleLog

/// A store of health data: saves, deletes and queries.
///
/// Instances are cheap, and those with the same directory share one store. A write is durable when
/// it is reported as done. Every object is visible to every caller: unlike Apple's store, a
/// server's store does not prompt for permission, and callers may delete objects of other sources.
/// Setting ``authorization`` changes that for one instance, for example to test an app.
///
/// Methods may be called from any thread. Completion handlers run on background threads and may
/// block for any length of time without delaying other work.
///
/// ```swift
/// let store = try HKHealthStore(directory: directory)
/// try await store.requestAuthorization(toShare: [steps], read: [steps])
/// try await store.save(samples)
/// try await store.delete(samples[0])
/// ```
open class HKHealthStore: NSObject, @unchecked Sendable {
  /// The subject whose data this object reads and writes.
  ///
  /// A store holds the data of many subjects.
  public let subject: String

  /// Whether this object may close, flush, compact, back up and measure the whole store.
  let coversStore: Bool

  let state: Locked<HandleState>

  /// The device that records this object's workouts, created by the workout-session layer.
  let ownDevice = Locked<(any Sendable)?>(nil)

  /// Creates an object for the default store, which is opened on first use.
  ///
  /// Its directory is `HEALTHSTORE_PATH`, else `healthstore` in `XDG_DATA_HOME`, else
  /// `~/.local/share/healthstore`. Calls report an error if it cannot be opened.
  public override init() {
    state = Locked(HandleState(location: .standard))
    subject = ""
    coversStore = true
    super.init()
  }

  /// Creates an object for a location, for the whole store unless it has a subject.
  init(location: StoreLocation, subject: String, coversStore: Bool? = nil) {
    state = Locked(HandleState(location: location))
    self.subject = subject
    self.coversStore = coversStore ?? subject.isEmpty
    super.init()
  }

  /// Options for opening a store: durability, memory, retention.
  public typealias Options = Database.Options

  /// Creates an object for the store in a directory, which is created if it does not exist.
  ///
  /// This is an addition to HealthKit. Objects for the same directory and mode share one open store
  /// in this process and must specify equal options. After the last object and the last running
  /// query are released, the store stays open for `options.idleTimeout` seconds, so that a server
  /// can create an object per request. Until then, writers in other processes are locked out. An
  /// idle store closes at once if this process opens the directory with other options, in the other
  /// mode or with the engine's `Database`, if more than 16 stores are idle, or if the process
  /// exits. Opening blocks the calling thread.
  ///
  /// With `readOnly`, another process may have the store open for writing. Every call sees all
  /// commits that were durable when the call began, and running queries report later commits
  /// within about `options.refreshInterval` seconds. Saving and deleting report
  /// `errorDatabaseInaccessible`.
  ///
  /// - Parameters:
  ///   - directory: The store's directory.
  ///   - mode: The access mode. A missing directory is created only for writing.
  ///   - subject: The subject whose data the object reads and writes. An object with a subject
  ///     cannot close, flush, compact, back up or measure the store; one without a subject can.
  ///   - options: Options for opening the store. Options with a handler or another function that
  ///     was set are equal to their copies only.
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store cannot be opened, or with
  ///   `errorInvalidArgument` and an ``HKStoreOptionsError`` as the underlying error if it is in
  ///   use in this process with other options.
  public init(
    directory: URL, mode: OpenMode = .readWrite, subject: String = "", options: Options = Options()
  ) throws {
    do {
      let open = try StoreRegistry.shared.open(directory, mode: mode, options: options)
      state = Locked(HandleState(location: .open(open)))
    } catch {
      throw HKError.from(error)
    }
    self.subject = subject
    coversStore = subject.isEmpty
    super.init()
  }

  /// Creates an object for a database that is already open and that the caller remains responsible
  /// for closing.
  ///
  /// This is an addition for programs that also use the engine directly.
  public init(database: Database, subject: String = "") {
    state = Locked(HandleState(location: .open(OpenStore(database))))
    self.subject = subject
    coversStore = subject.isEmpty
    super.init()
  }

  /// Returns a new, empty store in memory, which is freed with its last object.
  ///
  /// This is an addition for tests and for data that must not be persisted.
  public class func inMemory(
    subject: String = "", options: Options = Options()
  ) -> HKHealthStore {
    HKHealthStore(location: .memory(MemoryStore(options: options)), subject: subject)
  }

  /// Returns true: health data is always available.
  open class func isHealthDataAvailable() -> Bool { true }

  // MARK: Writing

  /// Saves an object.
  ///
  /// The same as saving an array of one.
  @preconcurrency
  open func save(
    _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    write(reporting(to: completion)) { store, subject, policy in
      try store.save([object], subject: subject, policy: policy)
    }
  }

  /// Saves an object, or throws the error that the completion-handler version reports.
  open func save(_ object: HKObject) async throws {
    try await attempt { self.save(object, withCompletion: $0) }
  }

  /// Saves objects atomically.
  ///
  /// The running program becomes the source of an object unless it was created with another one. An
  /// object with a sync identifier replaces the stored object of the same source, type and sync
  /// identifier if its version is greater; otherwise nothing changes, and that is not an error. A
  /// correlation's members are saved with it. Reports `errorInvalidArgument` if an object is
  /// invalid, occurs twice, or is already in the store; `errorDatabaseInaccessible` if writing
  /// fails; and `errorAuthorizationDenied` or `errorAuthorizationNotDetermined` if an authorization
  /// policy does not grant sharing of a type.
  @preconcurrency
  open func save(
    _ objects: [HKObject],
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    write(reporting(to: completion)) { store, subject, policy in
      try store.save(objects, subject: subject, policy: policy)
    }
  }

  /// Saves objects, or throws the error that the completion-handler version reports.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the call. Later cancellation
  ///   has no effect.
  open func save(_ objects: [HKObject]) async throws {
    try await attempt { self.save(objects, withCompletion: $0) }
  }

  /// Deletes an object.
  ///
  /// The same as deleting an array of one.
  @preconcurrency
  open func delete(
    _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    write(reporting(to: completion)) { store, subject, policy in
      try store.delete([object], subject: subject, policy: policy)
    }
  }

  /// Deletes an object, or throws the error that the completion-handler version reports.
  open func delete(_ object: HKObject) async throws {
    try await attempt { self.delete(object, withCompletion: $0) }
  }

  /// Deletes objects atomically.
  ///
  /// Reports `errorInvalidArgument` if the array is empty or an object is not in the store. The
  /// members of a deleted correlation are kept. Unlike Apple's store, objects of any source may be
  /// deleted. With an authorization policy, `errorAuthorizationDenied` is reported for objects
  /// that another source saved and for types whose sharing is denied.
  @preconcurrency
  open func delete(
    _ objects: [HKObject],
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    write(reporting(to: completion)) { store, subject, policy in
      try store.delete(objects, subject: subject, policy: policy)
    }
  }

  /// Deletes objects, or throws the error that the completion-handler version reports.
  open func delete(_ objects: [HKObject]) async throws {
    try await attempt { self.delete(objects, withCompletion: $0) }
  }

  /// Deletes the objects of a type that match a predicate, and reports their number.
  ///
  /// Matching no objects is a success. All are deleted in one atomic commit, unless they exceed
  /// the limit of a commit (4,194,304); then they are deleted in several commits, each of which is
  /// atomic. Reports `errorInvalidArgument` for a type that has no samples. With an authorization
  /// policy, only the program's own objects are deleted.
  @preconcurrency
  open func deleteObjects(
    of objectType: HKObjectType, predicate: NSPredicate,
    withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
  ) {
    let shared = SharedPredicate(predicate)
    write({ completion($0.failure == nil, $0.success ?? 0, $0.failure) }) {
      store, subject, policy in
      try store.deleteObjects(
        of: objectType, predicate: shared.value, subject: subject, policy: policy)
    }
  }

  /// Deletes the objects of a type that match a predicate, and returns their number.
  @discardableResult
  open func deleteObjects(of objectType: HKObjectType, predicate: NSPredicate) async throws -> Int {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      deleteObjects(of: objectType, predicate: predicate) { _, count, error in
        continuation.resume(count, error)
      }
    }
  }

  // MARK: Queries

  /// Executes a query.
  ///
  /// Its handlers are called on a serial queue that belongs to the query.
  ///
  /// - Precondition: The query has not been executed before.
  open func execute(_ query: HKQuery) {
    query.execution.start(query, opening: opening)
  }

  /// Stops a query.
  ///
  /// No call of its handlers begins after this returns.
  ///
  /// A handler call in progress may continue. Stopping a query that has ended or was never
  /// executed has no effect; the latter can still be executed.
  open func stop(_ query: HKQuery) {
    query.execution.stop()
  }

  // MARK: Authorization

  /// Returns whether samples of a type may be saved, according to the authorization policy.
  ///
  /// Without a policy, sharing is authorized.
  ///
  /// Types without samples, such as characteristics, are always denied.
  open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
    guard let type = type as? HKSampleType else { return .sharingDenied }
    guard let authorization else { return .sharingAuthorized }
    return switch authorization.answer(toShare: type) {
    case .granted: .sharingAuthorized
    case .denied: .sharingDenied
    case nil: .notDetermined
    }
  }

  /// Requests permission to share and to read types, and reports that the request was handled.
  ///
  /// Without an authorization policy, the request succeeds at once. With a policy, its
  /// `requestHandler` is called with the types that have no answer yet, and ``authorization``
  /// records the answers. Success does not mean that anything was granted. Errors that the handler
  /// throws are reported.
  ///
  /// - Precondition: The sets contain no correlation type: request authorization for the types of
  ///   the contained samples instead. Otherwise the process traps;
  ///   ``validateAuthorizationRequest(toShare:read:)`` throws instead.
  @preconcurrency
  open func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let request = AuthorizationRequest(toShare: typesToShare ?? [], read: typesToRead ?? [])
    request.trapUnlessAllowed()
    WorkerPool.shared.async {
      WorkerPool.blocking {
        do {
          try self.authorize(request)
          completion(true, nil)
        } catch {
          completion(false, HKError.from(error))
        }
      }
    }
  }

  /// Requests permission, or throws the error that the completion-handler version reports.
  ///
  /// - Precondition: The same as for the completion-handler version.
  open func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws {
    try await attempt {
      self.requestAuthorization(toShare: typesToShare, read: typesToRead, completion: $0)
    }
  }

  /// Reports whether requesting authorization for these types would prompt the user.
  ///
  /// - Precondition: The same as for ``requestAuthorization(toShare:read:completion:)``.
  @preconcurrency
  open func getRequestStatusForAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
    completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
  ) {
    let request = AuthorizationRequest(toShare: typesToShare, read: typesToRead)
    request.trapUnlessAllowed()
    let isAnswered = authorization?.unanswered(request).isEmpty ?? true
    WorkerPool.shared.async {
      WorkerPool.blocking { completion(isAnswered ? .unnecessary : .shouldRequest, nil) }
    }
  }

  /// Returns whether requesting authorization for these types would prompt the user.
  ///
  /// - Precondition: The same as for ``requestAuthorization(toShare:read:completion:)``.
  open func statusForAuthorizationRequest(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws -> HKAuthorizationRequestStatus {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      getRequestStatusForAuthorization(toShare: typesToShare, read: typesToRead) {
        continuation.resume($0, $1)
      }
    }
  }

  /// Returns the distant past: the dates of samples are not limited.
  open func earliestPermittedSampleDate() -> Date { .distantPast }

  /// Returns true: clinical records are always supported.
  open func supportsHealthRecords() -> Bool { true }
}
