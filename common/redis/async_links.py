"""The former name of `ConnectionFactory`'s module, until the event writer uses the new one."""

from common.redis.connect import ConnectionFactory

__all__ = ["ConnectionFactory"]
