#include "CPlatform.h"

#include <string.h>

// One table is enough: it serves machines without the instruction and short tails.
static uint32_t table[256];

__attribute__((constructor)) static void fill_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0x82F63B78u : crc >> 1;
    table[i] = crc;
  }
}

static uint32_t portable(uint32_t crc, const unsigned char *next, size_t count) {
  while (count--) crc = table[(crc ^ *next++) & 0xFF] ^ crc >> 8;
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t
hardware(uint32_t crc, const unsigned char *next, size_t count) {
  uint64_t wide = crc, word;
  for (; count >= 8; count -= 8, next += 8) {
    memcpy(&word, next, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  crc = (uint32_t)wide;
  while (count--) crc = __builtin_ia32_crc32qi(crc, *next++);
  return crc;
}
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
static uint32_t hardware(uint32_t crc, const unsigned char *next, size_t count) {
  uint64_t word;
  for (; count >= 8; count -= 8, next += 8) {
    memcpy(&word, next, 8);
    crc = __crc32cd(crc, word);
  }
  while (count--) crc = __crc32cb(crc, *next++);
  return crc;
}
#endif

uint32_t cplatform_crc32c(uint32_t crc, const void *bytes, size_t count) {
  crc = ~crc;
#if defined(__x86_64__)
  crc = __builtin_cpu_supports("sse4.2") ? hardware(crc, bytes, count)
                                         : portable(crc, bytes, count);
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
  crc = hardware(crc, bytes, count);
#else
  crc = portable(crc, bytes, count);
#endif
  return ~crc;
}
