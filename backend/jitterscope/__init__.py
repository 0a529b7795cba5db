"""Jitterscope: why was that one late?"""
