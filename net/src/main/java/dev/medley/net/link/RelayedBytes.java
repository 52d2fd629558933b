package dev.medley.net.link;

/**
 * What a relay handed on from one member to another, all of their links together, as it travelled:
 * greetings, and TLS where the two secure their link, included.
 *
 * @param fromRank who said it
 * @param toRank who got it
 * @param bytes that the relay took in and gave out once each
 */
public record RelayedBytes(int fromRank, int toRank, long bytes) {}
