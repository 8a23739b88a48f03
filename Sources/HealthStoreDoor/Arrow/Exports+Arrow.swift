import CDoor
import Foundation
import SampleLog

// The functions that the C code calls for Arrow; see swift.h.

/// A reference to a store, released by `door_store_close`.
private final class StoreHandle {
  let store: Store

  init(_ store: Store) { self.store = store }
}

/// A stream and the C strings of its schema.
private final class OpenStream {
  let source: any ArrowSource
  private var texts: [UnsafeMutablePointer<CChar>?] = []

  init(_ source: any ArrowSource) { self.source = source }

  deinit { for text in texts { free(text) } }

  func text(_ text: String) -> UnsafePointer<CChar>? {
    texts.append(strdup(text))
    return UnsafePointer(texts[texts.count - 1])
  }
}

private func stream(_ pointer: UnsafeMutableRawPointer) -> OpenStream {
  Unmanaged<OpenStream>.fromOpaque(pointer).takeUnretainedValue()
}

@_cdecl("door_store_open")
func openStore(
  _ path: UnsafePointer<CChar>, _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> UnsafeMutablePointer<CChar>? {
  message {
    let handle = StoreHandle(try Stores.open(String(cString: path)))
    out.pointee = Unmanaged.passRetained(handle).toOpaque()
  }
}

@_cdecl("door_store_close")
func closeStore(_ pointer: UnsafeMutableRawPointer) {
  Unmanaged<StoreHandle>.fromOpaque(pointer).release()
}

@_cdecl("door_stream_open")
func openStream(
  _ store: UnsafeMutableRawPointer, _ query: UnsafePointer<CChar>,
  _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> UnsafeMutablePointer<CChar>? {
  message {
    let query = try JSONDecoder().decode(StreamQuery.self, from: Data(String(cString: query).utf8))
    let handle = Unmanaged<StoreHandle>.fromOpaque(store).takeUnretainedValue()
    let made = OpenStream(try query.open(handle.store))
    out.pointee = Unmanaged.passRetained(made).toOpaque()
  }
}

@_cdecl("door_stream_field_count")
func fieldCount(_ pointer: UnsafeMutableRawPointer) -> Int32 {
  Int32(stream(pointer).source.fields.count)
}

@_cdecl("door_stream_field")
func describeField(
  _ pointer: UnsafeMutableRawPointer, _ column: Int32, _ out: UnsafeMutableRawPointer
) {
  let open = stream(pointer)
  let field = open.source.fields[Int(column)]
  out.assumingMemoryBound(to: door_field.self).pointee = door_field(
    name: open.text(field.name), format: open.text(field.format),
    dictionary_format: field.kind == .name ? open.text("u") : nil)
}

@_cdecl("door_stream_next")
func fetchRows(
  _ pointer: UnsafeMutableRawPointer, _ out: UnsafeMutableRawPointer
) -> UnsafeMutablePointer<CChar>? {
  message {
    let source = stream(pointer).source
    let fields = source.fields
    let batch = out.assumingMemoryBound(to: door_arrow_batch.self)
    batch.pointee.length = 0
    guard let found = try source.next() else { return }
    batch.pointee.column_count = Int32(fields.count)
    withUnsafeMutableBytes(of: &batch.pointee.columns) { bytes in
      let columns = bytes.bindMemory(to: door_array.self)
      for (index, column) in found.columns.enumerated() {
        columns[index] = column.array(isText: fields[index].kind == .text)
      }
    }
    withUnsafeMutableBytes(of: &batch.pointee.dictionaries) { bytes in
      let dictionaries = bytes.bindMemory(to: door_array.self)
      for index in fields.indices {
        if let dictionary = source.dictionary(index) {
          dictionaries[index] = dictionary.array(isText: true)
        } else {
          dictionaries[index].length = -1
        }
      }
    }
    batch.pointee.length = Int64(found.length)
  }
}

@_cdecl("door_stream_free")
func freeStream(_ pointer: UnsafeMutableRawPointer) {
  Unmanaged<OpenStream>.fromOpaque(pointer).release()
}

@_cdecl("door_owner_release")
func releaseOwner(_ pointer: UnsafeMutableRawPointer) {
  Unmanaged<ArrowMemory>.fromOpaque(pointer).release()
}
