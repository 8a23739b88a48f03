import Foundation
import Testing
import UniformTypeIdentifiers

@Suite struct UTTypeTests {
  @Test func `A constant has its identifier, extension and MIME type`() {
    #expect(UTType.pdf.identifier == "com.adobe.pdf")
    #expect(UTType.jpeg.preferredFilenameExtension == "jpeg")
    #expect(UTType.heic.preferredMIMEType == "image/heic")
    #expect(UTType.plainText.preferredFilenameExtension == "txt")
    #expect(UTType.data.preferredMIMEType == nil)
  }

  @Test func `A type conforms to itself and to all its ancestors`() {
    #expect(UTType.jpeg.conforms(to: .image))
    #expect(UTType.png.conforms(to: .item))
    #expect(UTType.pdf.conforms(to: .content))
    #expect(UTType.pdf.conforms(to: .pdf))
    #expect(!UTType.pdf.isSubtype(of: .pdf))
    #expect(!UTType.image.conforms(to: .jpeg))
    #expect(UTType.image.isSupertype(of: .svg))
    #expect(!UTType.plainText.conforms(to: .image))
    #expect(
      UTType.commaSeparatedText.supertypes == [.delimitedText, .text, .data, .item, .content])
  }

  @Test func `Types are found by identifier, extension and MIME type in any case`() {
    #expect(UTType("public.PNG") == .png)
    #expect(UTType("com.example.unknown") == nil)
    #expect(UTType(filenameExtension: "JPG") == .jpeg)
    #expect(UTType(filenameExtension: "jpg", conformingTo: .text) == nil)
    #expect(UTType(mimeType: "Application/PDF") == .pdf)
    #expect(UTType(mimeType: "text/rtf") == .rtf)
    #expect(UTType(filenameExtension: "") == nil)
  }

  @Test func `An unknown type keeps its identifier`() throws {
    let type = UTType(importedAs: "com.example.scan", conformingTo: .image)
    #expect(type.identifier == "com.example.scan")
    #expect(!type.isDeclared)
    #expect(UTType(exportedAs: "public.jpeg").isDeclared)
    let read = try JSONDecoder().decode([UTType].self, from: JSONEncoder().encode([type, .zip]))
    #expect(read == [type, .zip])
  }
}
