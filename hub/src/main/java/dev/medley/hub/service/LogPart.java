package dev.medley.hub.service;

/**
 * Holds a part of a job's log.
 *
 * @param text whole lines
 * @param nextByte where the next part begins
 * @param ended whether nothing more will come
 */
public record LogPart(String text, long nextByte, boolean ended) {}
